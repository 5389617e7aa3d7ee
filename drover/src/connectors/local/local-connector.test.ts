import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { waitFor } from "../../../test/wait-for.ts";
import type { CommandError } from "../../lib/command-error.ts";
import type { RunOptions } from "../../ports/connector.ts";
import { DEFAULT_SEARCH_PATH } from "./child-environment.ts";
import { LocalConnector, type LocalConnectorOptions } from "./local-connector.ts";
import { parseStat } from "./process-table.ts";

const connect = (options: Partial<LocalConnectorOptions> = {}) =>
  new LocalConnector({ environment: { PATH: DEFAULT_SEARCH_PATH }, ...options });

const runScript = (connector: LocalConnector, script: string, options: RunOptions = {}) =>
  connector.run({ argv: ["sh", "-c", script] }, options);

const countOpenFiles = () => readdirSync("/proc/self/fd").length;

/** Children of this process that have ended and that nobody has asked about. */
function listZombies(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/stat`, "latin1");
      } catch {
        return "";
      }
    })
    .filter((text) => parseStat(text)?.alive === false && text.includes(`) Z ${process.pid} `));
}

/** From here on time passes when it is told to. */
function holdTimers(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}

async function turnUntil(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

describe("nothing is left behind", () => {
  const abortSoon = () => AbortSignal.timeout(20);
  const ways: [string, (connector: LocalConnector) => Promise<unknown>][] = [
    ["after commands that ended", (connector) => runScript(connector, "cat", {})],
    ["after input that was not read", (connector) => connector.run({ argv: ["true"], stdin: "x".repeat(1e6) })],
    ["after commands that could not be started", (connector) => connector.run({ argv: ["/no/such"], stdin: "x" })],
    ["after commands that were ended", (connector) => runScript(connector, "sleep 9", { signal: abortSoon() })],
    ["after an open pipe", (connector) => runScript(connector, "sleep 8 & exit 0")],
    ["after missing folders", (connector) => connector.run({ argv: ["true"], directory: "/no/such" })],
    ["after files", (connector) => connector.get("/etc/passwd")],
    ["after files that are none", (connector) => connector.get("/dev")],
  ];

  it.each(ways)("%s", async (_, work) => {
    const connector = connect({ drainMs: 20 });
    const repeat = (times: number) => Promise.allSettled(Array.from({ length: times }, () => work(connector)));
    await repeat(5);
    const before = countOpenFiles();
    await repeat(40);
    await waitFor(() => expect(countOpenFiles()).toBeLessThanOrEqual(before));
    expect(listZombies()).toEqual([]);
  });

  it("on a signal that outlives the commands", async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    await connect().run({ argv: ["true"] }, { signal });
    expect(added).toHaveBeenCalledOnce();
    expect(removed.mock.calls[0]?.slice(0, 2)).toEqual(added.mock.calls[0]?.slice(0, 2));
  });
});

describe("a command that has ended by itself", () => {
  it("stays so, although it is aborted while its output is still open", async () => {
    holdTimers();
    const connector = connect({ drainMs: 1_000 });
    const controller = new AbortController();
    let pid = 0;
    const onLine = (line: string) => {
      pid = Number(line);
    };
    const options = { signal: controller.signal, deadlineMs: 500, onLine };
    const running = runScript(connector, "sleep 60 & echo $$; exit 0", options);
    await turnUntil(() => pid > 0 && !existsSync(`/proc/${pid}`));
    await vi.advanceTimersByTimeAsync(600);
    controller.abort();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await running).toMatchObject({ exitCode: 0 });
  });

  it("loses none of its output when this program was busy meanwhile", async () => {
    const connector = connect({ drainMs: 10 });
    const running = runScript(connector, "sleep 5 & seq 1 10000", { keepBytes: 1e6 });
    await new Promise((resolve) => setTimeout(resolve, 5));
    const until = performance.now() + 500;
    while (performance.now() < until);
    expect((await running).stdout.endsWith("\n10000\n")).toBe(true);
  });
});

describe("an abort", () => {
  it("is not missed in the moment between asking and starting", async () => {
    const outcomes = Array.from({ length: 15 }, async (_, patience) => {
      const controller = new AbortController();
      const running = connect().run({ argv: ["sleep", "20"] }, { signal: controller.signal });
      const outcome = running.catch((caught) => caught);
      for (let turn = 0; turn < patience; turn++) await Promise.resolve();
      controller.abort();
      return await outcome;
    });
    for (const error of await Promise.all(outcomes)) expect(error).toMatchObject({ reason: "aborted" });
  });

  it("names what could not be ended instead of waiting for ever", async () => {
    const connector = connect();
    // How long a machine takes to begin is its own affair: the deadline grows until it is enough.
    for (let deadlineMs = 200, hasBegun = false; !hasBegun; deadlineMs *= 2) {
      const onLine = () => {
        hasBegun = true;
      };
      const kill = vi.spyOn(process, "kill").mockImplementation(() => true);
      const options = { deadlineMs, graceMs: 50, onLine };
      const error = await runScript(connector, "echo begun; exec sleep 60", options).catch((caught) => caught);
      kill.mockRestore();
      const left = /processes (\d+) could not be ended/.exec(error.message)?.[1];
      expect(error).toMatchObject({ reason: "timed-out", exitCode: null, signal: null });
      expect(left).toBeDefined();
      expect(readFileSync(`/proc/${left}/cmdline`, "utf8")).toMatch(/begun|sleep/);
      process.kill(Number(left), "SIGKILL");
      expect(error.message).toContain(`It was given ${deadlineMs / 1_000} s.`);
    }
  });
});

describe("an error", () => {
  it("holds no argument that was to be masked, not even in its cause", async () => {
    const mask = (text: string) => text.replaceAll("s3cret", "***");
    const commands = [
      { argv: ["/no/such/program", "s3cret"] as const },
      { argv: ["true", "s3cret\0"] as const },
      { argv: ["true", "s3cret".repeat(1e6)] as const },
      { argv: ["true"] as const, environment: { TOKEN: "s3cret\0" } },
    ];
    for (const command of commands) {
      const error: CommandError = await connect()
        .run(command, { mask })
        .catch((caught) => caught);
      expect(error.cause).toBeInstanceOf(Error);
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("s3cret");
    }
  });

  it("says what to do about arguments that are too long", async () => {
    const run = connect().run({ argv: ["true", "x".repeat(200_000)] });
    await expect(run).rejects.toThrow("true on local could not be run. Its arguments and variables are too long");
  });

  it("tells a folder that is a file from a missing program", async () => {
    const run = connect().run({ argv: ["true"], directory: "/etc/passwd" });
    await expect(run).rejects.toThrow('"/etc/passwd", where it should run, is not a folder.');
  });
});

it("finds programs on the search path that it was given, not on its own", async () => {
  const folder = mkdtempSync(join(tmpdir(), "drover-path-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "planted-program"), "#!/bin/sh\necho planted\n", { mode: 0o755 });
  vi.stubEnv("PATH", folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const argv = ["planted-program"] as const;
  await expect(connect().run({ argv })).rejects.toMatchObject({ reason: "not-found" });
  expect((await connect().run({ argv, environment: { PATH: folder } })).stdout).toBe("planted\n");
});

it("runs in the root folder unless told otherwise, wherever this program was started", async () => {
  expect((await connect().run({ argv: ["pwd"] })).stdout).toBe("/\n");
  expect((await connect({ directory: "/tmp" }).run({ argv: ["pwd"] })).stdout).toBe("/tmp\n");
});

it("has no terminal to ask anybody on", async () => {
  const { stdout } = await runScript(connect(), "(: </dev/tty) 2>/dev/null && echo terminal || echo none");
  expect(stdout).toBe("none\n");
});

it("starts a burst of commands one per turn, so that other work gets in between", async () => {
  const connector = connect();
  let turn = 0;
  const countTurn = () => {
    turn++;
    timer = setImmediate(countTurn);
  };
  let timer = setImmediate(countTurn);
  const startedIn: number[] = [];
  const command = {
    argv: ["true"] as const,
    get environment() {
      startedIn.push(turn);
      return {};
    },
  };
  await Promise.all(Array.from({ length: 20 }, () => connector.run(command)));
  clearImmediate(timer);
  expect(startedIn).toHaveLength(20);
  expect(new Set(startedIn).size).toBe(20);
});

it("refuses to read a file that is larger than it may be", async () => {
  const connector = connect({ largestFileBytes: 10 });
  await expect(connector.get("/etc/passwd")).rejects.toThrow(/could not be read. It has \d+ bytes; 10 may be read/);
});
