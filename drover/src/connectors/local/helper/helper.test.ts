import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { connectWithHelper, findHelper, SOURCE_OPTIONS } from "../../../../test/connector-with-helpers.ts";
import { makeTempFolder } from "../../../../test/temp-folder.ts";
import { waitFor, waitUntil } from "../../../../test/wait-for.ts";
import { DEFAULT_SEARCH_PATH } from "../child-environment.ts";
import { LocalConnector } from "../local-connector.ts";
import { parseStat } from "../process-table.ts";

const environment = { PATH: DEFAULT_SEARCH_PATH };

async function connect(helpers: { idleMs?: number } = {}): Promise<LocalConnector> {
  const connector = await connectWithHelper({ environment, graceMs: 200, helpers: { size: 1, ...helpers } });
  onTestFinished(() => connector.close());
  return connector;
}

/** Zombies do not count: nobody in a container may care for those whose parent is gone. */
function isThere(pid: number): boolean {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, "latin1"))?.alive ?? false;
  } catch {
    return false;
  }
}

/** A command that tells its process id by a file and then goes on for a long time, in two processes. */
function startLong(connector: LocalConnector) {
  const folder = mkdtempSync(join(tmpdir(), "drover-helper-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "pid");
  const script = 'sleep 60 & echo $! > "$1.new"; mv "$1.new" "$1"; wait';
  const ended = connector.run({ argv: ["sh", "-c", script, "sh", file] }).catch((error: unknown) => error);
  const pid = async () => {
    await waitFor(() => expect(existsSync(file)).toBe(true));
    return Number(new TextDecoder().decode(await connector.get(file)));
  };
  return { ended, pid };
}

it("helps only when several commands run at once", async () => {
  const connector = new LocalConnector({ environment, helpers: { size: 2, nodeOptions: SOURCE_OPTIONS } });
  onTestFinished(() => connector.close());
  for (let count = 0; count < 20; count++) await connector.run({ argv: ["sleep", "0.02"] });
  await expect(findHelper(connector)).rejects.toThrow("no helper");
  await Promise.all(Array.from({ length: 8 }, () => connector.run({ argv: ["true"] })));
  await waitFor(() => findHelper(connector));
});

it("leaves commands that are followed line by line to the process that follows them", async () => {
  const connector = await connect();
  const lines: string[] = [];
  await connector.run({ argv: ["sh", "-c", "echo $PPID"] }, { onLine: (line) => lines.push(line) });
  expect(lines).toEqual([String(process.pid)]);
});

it("ends what a lost helper has started, says so, and goes on without it", async () => {
  const connector = await connect();
  const long = startLong(connector);
  const grandchild = await long.pid();
  const helper = await findHelper(connector);
  process.kill(helper, "SIGKILL");
  expect(await long.ended).toMatchObject({
    reason: "failed",
    message: expect.stringContaining("The helper process that watched over it was ended from outside"),
  });
  expect(isThere(grandchild)).toBe(false);
  expect((await connector.run({ argv: ["echo", "still here"] })).stdout).toBe("still here\n");
  await waitFor(async () => expect(await findHelper(connector)).not.toBe(helper));
});

it("is not ended by the signals that ask a service to end", async () => {
  const connector = await connect();
  const helper = await findHelper(connector);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.kill(helper, signal);
  expect((await connector.run({ argv: ["sh", "-c", "sleep 0.1; echo $PPID"] })).stdout).toBe(`${helper}\n`);
});

it("tells the reason of an abort as the caller gave it", async () => {
  const connector = await connect();
  const controller = new AbortController();
  const begun = join(makeTempFolder("helper"), "begun");
  const argv = ["sh", "-c", 'touch "$1"; exec sleep 20', "sh", begun] as const;
  const running = connector.run({ argv }, { signal: controller.signal });
  const reason = new Error("no longer wanted");
  running.catch(() => {});
  await waitUntil(() => existsSync(begun));
  controller.abort(reason);
  await expect(running).rejects.toMatchObject({ reason: "aborted", signal: "SIGTERM", cause: reason });
});

it("goes when it has nothing to do, and comes back", async () => {
  const connector = await connect({ idleMs: 50 });
  const helper = await findHelper(connector);
  await waitFor(() => expect(isThere(helper)).toBe(false));
  expect((await connector.run({ argv: ["echo", "again"] })).stdout).toBe("again\n");
});

it("goes with the connection", async () => {
  const connector = await connect();
  const helper = await findHelper(connector);
  await connector.close();
  await waitFor(() => expect(isThere(helper)).toBe(false));
});

it("neither keeps a program alive nor outlives it", async () => {
  const script = `
    const { LocalConnector } = await import(process.argv[1]);
    const helpers = { size: 1, startFrom: 1, nodeOptions: process.execArgv.slice(0, 2) };
    const connector = new LocalConnector({ environment: {}, helpers });
    for (;;) {
      const { stdout } = await connector.run({ argv: ["/bin/sh", "-c", "echo $PPID"] });
      if (Number(stdout) === process.pid) continue;
      process.stdout.write(stdout);
      break;
    }`;
  const module = fileURLToPath(new URL("../local-connector.ts", import.meta.url));
  const child = spawn(process.execPath, [...SOURCE_OPTIONS, "--input-type=module", "-e", script, "--", module]);
  onTestFinished(() => void child.kill("SIGKILL"));
  let out = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  expect(await new Promise((resolve) => child.once("close", resolve))).toBe(0);
  expect(Number(out)).toBeGreaterThan(0);
  await waitFor(() => expect(isThere(Number(out))).toBe(false));
});

it("follows tied commands line by line, in order, and ends them when following fails", async () => {
  const connector = await connect();
  const lines: string[] = [];
  const script = "echo $PPID; for i in 1 2 3; do echo $i; echo e$i >&2; done; printf end";
  await connector.run({ argv: ["sh", "-c", script] }, { tied: true, onLine: (line) => lines.push(line) });
  expect(lines[0]).toBe(String(await findHelper(connector)));
  expect(lines.filter((line) => /^(\d|end)$/.test(line))).toEqual(["1", "2", "3", "end"]);
  expect(lines.filter((line) => line.startsWith("e"))).toEqual(expect.arrayContaining(["e1", "e2", "e3"]));
  const failing = connector.run(
    { argv: ["sh", "-c", "echo one; sleep 60"] },
    {
      tied: true,
      onLine: () => {
        throw new Error("no more");
      },
    },
  );
  await expect(failing).rejects.toMatchObject({
    reason: "aborted",
    cause: expect.objectContaining({ message: "no more" }),
  });
});

it("ends tied commands, with all that they started, when the process that asked for them is killed", async () => {
  const script = `
    const { LocalConnector } = await import(process.argv[1]);
    const helpers = { size: 1, nodeOptions: process.execArgv.slice(0, 2) };
    const connector = new LocalConnector({ environment: { PATH: process.env.PATH }, helpers });
    setInterval(() => {}, 1_000);
    const say = (line) => process.stdout.write(line + "\\n");
    await connector.run({ argv: ["sh", "-c", "sleep 300 & echo $!; wait"] }, { tied: true, onLine: say });`;
  const module = fileURLToPath(new URL("../local-connector.ts", import.meta.url));
  const child = spawn(process.execPath, [...SOURCE_OPTIONS, "--input-type=module", "-e", script, "--", module]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const grandchild = await new Promise<number>((resolve) => child.stdout.once("data", (data) => resolve(Number(data))));
  expect(isThere(grandchild)).toBe(true);
  child.kill("SIGKILL");
  await waitFor(() => expect(isThere(grandchild)).toBe(false));
});

/** What Node.js does about a message when the other end has gone and nobody has noticed yet. */
const BROKEN_PIPE = `import { writeFileSync } from "node:fs";
process.send = (message, handle, options, callback) => {
  const error = new Error("write EPIPE");
  process.nextTick(() => (callback ? callback(error) : process.emit("error", error)));
  writeFileSync(process.env.TOLD, "");
  return false;
};`;

it("ends without a word when nobody is there any more to be told that it is up", async () => {
  const folder = mkdtempSync(join(tmpdir(), "drover-helper-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  // A file, as what Node.js starts for itself may hold a pipe open.
  const complaints = openSync(join(folder, "stderr"), "w");
  const helper = fork(fileURLToPath(new URL("./helper-main.ts", import.meta.url)), [], {
    execArgv: [...SOURCE_OPTIONS, `--import=data:text/javascript,${encodeURIComponent(BROKEN_PIPE)}`],
    env: { TOLD: join(folder, "told") },
    serialization: "advanced",
    stdio: ["ignore", "ignore", complaints, "ipc"],
  });
  closeSync(complaints);
  const ended = once(helper, "exit");
  await waitFor(() => expect(existsSync(join(folder, "told"))).toBe(true));
  if (helper.connected) helper.disconnect();
  const [code] = await ended;
  expect([code, readFileSync(join(folder, "stderr"), "utf8")]).toEqual([0, ""]);
});
