import { describe, expect, it } from "vitest";
import { isCommandError } from "../lib/command-error.ts";
import type { OutputStream, RunOptions } from "./connector.ts";
import type { Subject } from "./connector-subject.conformance.ts";

const MEGABYTE = 1024 * 1024;
/** Much is sent here, and a busy machine takes its time. */
const HANG_MS = 900_000;

export function describeOutput(get: () => Subject): void {
  const run: Subject["connector"]["run"] = (command, options) => get().connector.run(command, options);

  /** All lines of a command, in the order in which they came. */
  async function collect(script: string, options: RunOptions = {}) {
    const lines: [string, OutputStream, boolean][] = [];
    await run({ argv: ["sh", "-c", script] }, { ...options, onLine: (...line) => lines.push(line) });
    return lines;
  }

  describe("lines", () => {
    it("come in order per stream", async () => {
      const lines = await collect("for i in 1 2 3 4 5; do echo out $i; echo err $i >&2; done");
      for (const stream of ["out", "err"] as const) {
        const texts = lines.filter((line) => line[1] === `std${stream}`).map((line) => line[0]);
        expect(texts).toEqual([1, 2, 3, 4, 5].map((n) => `${stream} ${n}`));
      }
    });

    it("end with LF, CR LF or CR, and need no end at the end", async () => {
      const lines = await collect("printf 'one\\r\\ntwo\\n\\n10%%\\r20%%\\rlast'");
      expect(lines.map((line) => line[0])).toEqual(["one", "two", "", "10%", "20%", "last"]);
    });

    it("come while the command runs", async () => {
      const heard = `${get().harness.folder}/heard`;
      const lines: string[] = [];
      const onLine = (line: string) => {
        lines.push(line);
        if (line === "a") void run({ argv: ["touch", heard] });
      };
      // It ends only once its first line was heard.
      const argv = ["sh", "-c", 'echo a; while [ ! -e "$1" ]; do sleep 0.05; done; echo b', "sh", heard] as const;
      await run({ argv }, { onLine });
      expect(lines).toEqual(["a", "b"]);
    });

    it("keep characters whole that arrive in two halves", async () => {
      const lines = await collect(
        "printf 'a\\303'; sleep 0.1; printf '\\244b\\360\\237'; sleep 0.1; printf '\\220\\217'",
      );
      expect(lines).toEqual([["aäb🐏", "stdout", false]]);
    });

    it("come in pieces when they are long", async () => {
      const lines = await collect("head -c 100000 /dev/zero | tr '\\0' x; echo; echo y");
      expect(lines.map((line) => line[0]).join("")).toBe(`${"x".repeat(100_000)}y`);
      const ends = lines.map((line) => line[2]);
      expect(ends.slice(-2)).toEqual([false, false]);
      expect(ends.slice(0, -2).every((partial) => partial)).toBe(true);
      expect(ends.length).toBeGreaterThan(3);
    });

    it("end the command when they cannot be taken", async () => {
      const cause = new Error("no room left");
      const onLine = () => {
        throw cause;
      };
      for (const script of ["echo a; sleep 3600", "printf a"]) {
        const error = await run({ argv: ["sh", "-c", script] }, { onLine }).catch((caught) => caught);
        expect(isCommandError(error, "aborted")).toBe(true);
        expect(error.cause).toBe(cause);
      }
    });
  });

  describe("what is kept", () => {
    it("is the end of each stream, and says how much is missing", async () => {
      const argv = ["sh", "-c", "seq 1 1000; seq 1 10 >&2"] as const;
      const result = await run({ argv }, { keepBytes: 14 });
      expect(result).toMatchObject({ stdout: "\n998\n999\n1000\n", dropped: { stdout: 3893 - 14 } });
      expect(result).toMatchObject({ stderr: "\n5\n6\n7\n8\n9\n10\n", dropped: { stderr: 21 - 14 } });
    });

    it("is all of a small output", async () => {
      const result = await run({ argv: ["seq", "1", "1000"] });
      expect(result.stdout).toHaveLength(3893);
      expect(result.dropped).toEqual({ stdout: 0, stderr: 0 });
    });

    it("is as much as was asked for", async () => {
      const result = await run(
        { argv: ["head", "-c", String(5 * MEGABYTE), "/dev/zero"] },
        { keepBytes: 8 * MEGABYTE },
      );
      expect(result.stdout).toHaveLength(5 * MEGABYTE);
    });
  });

  describe("a huge output", () => {
    /** How far memory rose, at its highest, while a command ran. */
    async function watchMemory(argv: readonly [string, ...string[]]) {
      let [pieces, bytes, highest] = [0, 0, 0];
      const before = process.memoryUsage.rss();
      const timer = setInterval(() => {
        highest = Math.max(highest, process.memoryUsage.rss());
      }, 20);
      const onLine = (line: string) => {
        pieces++;
        bytes += line.length;
      };
      const result = await run({ argv }, { onLine });
      clearInterval(timer);
      return { result, pieces, bytes, risenBytes: Math.max(0, highest - before) };
    }

    it(
      "of one endless line is read in little memory",
      async () => {
        const { hugeBytes } = get().traits;
        const seen = await watchMemory(["head", "-c", String(hugeBytes), "/dev/zero"]);
        expect(seen.bytes).toBe(hugeBytes);
        expect(seen.risenBytes).toBeLessThan(128 * MEGABYTE);
        expect(seen.result.dropped.stdout + seen.result.stdout.length).toBe(hugeBytes);
      },
      HANG_MS,
    );

    it(
      "of very many lines is read in little memory",
      async () => {
        const count = Math.floor(get().traits.hugeBytes / 200);
        const seen = await watchMemory(["seq", "1", String(count)]);
        expect(seen.pieces).toBe(count);
        expect(seen.risenBytes).toBeLessThan(128 * MEGABYTE);
        expect(seen.result.stdout.endsWith(`\n${count}\n`)).toBe(true);
      },
      HANG_MS,
    );
  });
}
