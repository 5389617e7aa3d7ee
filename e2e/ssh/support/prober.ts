import { get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { NODE_PORT } from "./documents.ts";

const PAUSE_MS = 100;
const TIMEOUT_MS = 10_000;

/** Asks the nodes in turn, ten times a second, a new connection each time, and counts. */
export function probe(addresses: readonly string[]): {
  stop(): Promise<{ answered: number; failed: readonly string[] }>;
} {
  const failed: string[] = [];
  let answered = 0;
  let isOver = false;
  const ended = (async () => {
    for (let turn = 0; !isOver; turn += 1) {
      const host = addresses[turn % addresses.length] ?? "";
      try {
        await ask(host);
        answered += 1;
      } catch (error) {
        failed.push(`${new Date().toISOString()} ${host}: ${(error as Error).message}`);
      }
      await sleep(PAUSE_MS);
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await ended;
      return { answered, failed };
    },
  };
}

export function ask(host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get({ host, port: NODE_PORT, timeout: TIMEOUT_MS, agent: false }, (answer) => {
      let text = "";
      answer.on("data", (chunk) => {
        text += String(chunk);
      });
      answer.on("end", () =>
        answer.statusCode === 200 ? resolve(text) : reject(new Error(String(answer.statusCode))),
      );
    });
    request.on("timeout", () => request.destroy(new Error("no answer")));
    request.on("error", reject);
  });
}
