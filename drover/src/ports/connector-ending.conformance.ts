import { describe, expect, it, onTestFinished } from "vitest";
import { type CommandError, isCommandError } from "../lib/command-error.ts";
import type { RunOptions } from "./connector.ts";
import type { Subject } from "./connector-subject.conformance.ts";

/** Longer than any test may take: whoever waits for it hangs. */
const HOUR_MS = 3_600_000;
/** Says its own number, then sleeps in spite of being asked to end. */
const STUBBORN = "trap '' TERM; echo $$; while :; do sleep 1; done";

export function describeEnding(get: () => Subject): void {
  const run: Subject["connector"]["run"] = (command, options) => get().connector.run(command, options);

  /** A process that has ended but was not counted yet by its parent is dead, however long that takes. */
  async function isAlive(pid: string): Promise<boolean> {
    const { stdout } = await run({ argv: ["sh", "-c", 'cat "/proc/$1/stat" 2>/dev/null; true', "sh", pid] });
    const state = stdout.slice(stdout.lastIndexOf(")") + 2, stdout.lastIndexOf(")") + 3);
    return stdout !== "" && !"ZX".includes(state);
  }

  /** Runs a script, with a stubborn one as `$1`, that says `count` process numbers, aborts it then, and answers with all that came of it. */
  async function abortAfter(count: number, script: string, options: RunOptions = {}) {
    const controller = new AbortController();
    const pids: string[] = [];
    const onLine = (line: string) => {
      pids.push(line);
      if (pids.length === count) controller.abort(new Error("enough"));
    };
    const argv = ["sh", "-c", script, "sh", STUBBORN] as const;
    const error = await run({ argv }, { onLine, graceMs: 300, ...options, signal: controller.signal }).catch(
      (caught) => caught as CommandError,
    );
    const alive = await Promise.all(pids.map(isAlive));
    return { error, pids, alive };
  }

  /**
   * Runs a script, with a stubborn one as `$1`, that says `count` process numbers, with a deadline that comes after
   * that. How long a machine takes to get there is its own affair: the deadline grows until it is enough.
   */
  async function runIntoDeadline(count: number, script: string, graceMs: number) {
    for (let deadlineMs = 200; ; deadlineMs *= 2) {
      const pids: string[] = [];
      const options = { deadlineMs, graceMs, onLine: (line: string) => void pids.push(line) };
      const argv = ["sh", "-c", script, "sh", STUBBORN] as const;
      const [error, tookMs] = await measure(() => run({ argv }, options).catch((caught) => caught as CommandError));
      if (pids.length === count) return { error, pids, deadlineMs, tookMs };
    }
  }

  async function measure<T>(work: () => Promise<T>): Promise<[T, number]> {
    const started = performance.now();
    return [await work(), performance.now() - started];
  }

  describe("abort", () => {
    it("ends the command and says so", async () => {
      const { error, alive } = await abortAfter(1, "echo $$; exec sleep 3600", { graceMs: HOUR_MS });
      expect(error).toMatchObject({ reason: "aborted", signal: "SIGTERM", cause: new Error("enough") });
      expect(alive).toEqual([false]);
    });

    it("starts nothing when it came before", async () => {
      const path = `${get().harness.folder}/not-started`;
      const error = await run({ argv: ["touch", path] }, { signal: AbortSignal.abort() }).catch((caught) => caught);
      expect(isCommandError(error, "aborted")).toBe(true);
      expect(await run({ argv: ["test", "-e", path] })).toMatchObject({ exitCode: 1 });
    });

    it("lets the command end in its own way, and keeps what it said", async () => {
      const script = "trap 'echo bye; exit 7' TERM; echo $$; while :; do sleep 0.1; done";
      const { error } = await abortAfter(1, script, { graceMs: HOUR_MS });
      expect(error).toMatchObject({ reason: "aborted", exitCode: 7, signal: null });
      expect((error as CommandError).stdout).toMatch(/^\d+\nbye$/);
    });

    it("changes nothing when the command has ended", async () => {
      const controller = new AbortController();
      const result = await run({ argv: ["echo", "done"] }, { signal: controller.signal });
      controller.abort();
      expect(result).toMatchObject({ exitCode: 0, stdout: "done\n" });
    });
  });

  describe("deadline", () => {
    it("ends the command and says so", async () => {
      const { error, deadlineMs, tookMs } = await runIntoDeadline(1, "echo $$; exec sleep 3600", HOUR_MS);
      expect(error).toMatchObject({ reason: "timed-out", signal: "SIGTERM" });
      expect(tookMs).toBeGreaterThan(deadlineMs * 0.75);
    });

    it("starts nothing when it is over", async () => {
      const path = `${get().harness.folder}/too-late`;
      const error = await run({ argv: ["touch", path] }, { deadlineMs: 0 }).catch((caught) => caught);
      expect(isCommandError(error, "timed-out")).toBe(true);
      expect(await run({ argv: ["test", "-e", path] })).toMatchObject({ exitCode: 1 });
    });

    it("may be further away than a timer can count", async () => {
      const result = await run({ argv: ["sh", "-c", "sleep 0.2; echo ok"] }, { deadlineMs: 1e12 });
      expect(result.stdout).toBe("ok\n");
    });
  });

  describe("a command that will not end", () => {
    it("is made to after the grace", async () => {
      const [{ error, alive }, tookMs] = await measure(() => abortAfter(1, STUBBORN, { graceMs: 500 }));
      expect(error).toMatchObject({ reason: "aborted", signal: "SIGKILL" });
      expect(alive).toEqual([false]);
      expect(tookMs).toBeGreaterThan(450);
    });

    it("is ended at its deadline with its grandchildren", async () => {
      const { error, pids } = await runIntoDeadline(3, 'sh -c "$1" & sh -c "$1" & eval "$1"', 300);
      expect(error).toMatchObject({ reason: "timed-out", signal: "SIGKILL" });
      expect(new Set(pids).size).toBe(3);
      expect(await Promise.all(pids.map(isAlive))).toEqual([false, false, false]);
    });

    it("is ended although it was stopped", async () => {
      const { error, alive } = await abortAfter(1, "echo $$; kill -s STOP $$; sleep 3600", { graceMs: HOUR_MS });
      expect(error).toMatchObject({ reason: "aborted", signal: "SIGTERM" });
      expect(alive).toEqual([false]);
    });
  });

  describe("what a command has started", () => {
    it("is ended with it, although it ignores the request and the command does not", async () => {
      const { error, alive } = await abortAfter(2, 'sh -c "$1" & echo $$; wait');
      expect(error).toMatchObject({ reason: "aborted" });
      expect(alive).toEqual([false, false]);
    });

    it("is ended with it, although it has a process group of its own", async () => {
      const script = "timeout 60 sh -c 'trap \"\" TERM; echo $$; sleep 60' & echo $!; wait";
      const { error, alive } = await abortAfter(2, script);
      expect(error).toMatchObject({ reason: "aborted" });
      expect(alive).toEqual([false, false]);
    });

    it("may hold the output open without holding up the answer", async () => {
      const result = await run({ argv: ["sh", "-c", "sleep 3600 & echo $!; echo last >&2; exit 3"] });
      const pid = result.stdout.trim();
      onTestFinished(async () => void (await run({ argv: ["kill", pid] })));
      expect(result).toMatchObject({ exitCode: 3, stderr: "last\n" });
      expect(await isAlive(pid)).toBe(true);
    });

    it("may flood the output without holding up the answer", async () => {
      const spoken = `${get().harness.folder}/flood-has-begun`;
      // Its number is the first line of the flood: a line on the other stream may wait behind the flood for ever.
      const flood = `(trap '' PIPE; exec sh -c 'echo $$; touch "$0"; exec timeout 3600 yes flood' "$1")`;
      const script = `${flood} & while [ ! -e "$1" ]; do sleep 0.05; done; exit 0`;
      const lines: string[] = [];
      const result = await run(
        { argv: ["sh", "-c", script, "sh", spoken] },
        { onLine: (line) => void (lines.length === 0 && lines.push(line)) },
      );
      onTestFinished(async () => void (await run({ argv: ["kill", lines[0] ?? ""] })));
      expect(result).toMatchObject({ exitCode: 0 });
      expect(lines).toEqual([expect.stringMatching(/^\d+$/)]);
    });

    it("may have made itself independent and hold the output open without holding up an abort", async () => {
      const spoken = `${get().harness.folder}/independent-has-spoken`;
      const independent = `setsid sh -c 'trap "" TERM; echo $$; touch "$0"; exec sleep 3600' "${spoken}"`;
      const script = `${independent} & while [ ! -e "${spoken}" ]; do sleep 0.05; done; echo $$; exec sleep 3600`;
      const { error, pids, alive } = await abortAfter(2, script);
      onTestFinished(async () => void (await run({ argv: ["kill", "-9", pids[0] ?? ""] })));
      expect(error).toMatchObject({ reason: "aborted" });
      expect(alive[1]).toBe(false);
    });
  });

  describe("close", () => {
    it("ends what runs and starts nothing more", async () => {
      const connector = await get().harness.connect();
      const pids: string[] = [];
      let begun: () => void = () => {};
      const hasBegun = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const onLine = (line: string) => {
        pids.push(line);
        begun();
      };
      const running = connector.run({ argv: ["sh", "-c", "echo $$; exec sleep 60"] }, { onLine });
      const outcome = running.catch((caught) => caught);
      await hasBegun;
      await connector.close();
      expect(await isAlive(pids[0] ?? "")).toBe(false);
      expect(isCommandError(await outcome, "aborted")).toBe(true);
      await expect(connector.run({ argv: ["true"] })).rejects.toMatchObject({ reason: "aborted" });
      await connector.close();
    });
  });
}
