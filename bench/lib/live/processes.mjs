import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { atEnd } from "../clean-up.mjs";

/**
 * One of the programs beside this file, or one elsewhere by its URL, in a process of its own. It answers each order that it is given; the first
 * answer says that it has begun.
 *
 * @param {string} name
 * @param {Record<string, unknown>} options
 */
export async function startProcess(name, options) {
  const child = fork(fileURLToPath(new URL(name, import.meta.url)), [JSON.stringify(options)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  let isEnded = false;
  const ended = once(child, "exit").then(() => {
    isEnded = true;
  });
  const answer = async () => {
    const [message] = await Promise.race([
      once(child, "message"),
      ended.then(() => {
        throw new Error(`${name} has ended before its time.`);
      }),
    ]);
    return message;
  };
  const stop = async () => {
    if (!isEnded) child.kill("SIGKILL");
    await ended;
  };
  atEnd(stop);
  const about = await answer();
  return {
    about,
    /** @param {Record<string, unknown>} order */
    ask: async (order) => {
      const answered = answer();
      child.send(order);
      return await answered;
    },
    stop,
  };
}

/** The other side of it: says what it has begun with, and does what it is told. */
export function serveOrders(about, orders) {
  const obey = async ({ order, ...options }) => process.send((await orders[order](options)) ?? {});
  process.on("message", (message) => void obey(message));
  process.on("disconnect", () => process.exit());
  process.send(about);
}
