import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../../test/temp-folder.ts";
import { type ProcessRequest, runProcess } from "./run-process.ts";

const request = (argv: readonly [string, ...string[]], more: Partial<ProcessRequest> = {}): ProcessRequest => ({
  ...{ argv, stdin: undefined, environment: { PATH: "/usr/bin:/bin" }, directory: "/", signals: [] },
  ...{ deadlineMs: undefined, graceMs: 1_000, drainMs: 1, keepBytes: 1_000, onLine: undefined },
  ...more,
});

/** Holds up the loop until a process has ended, without the loop learning of it. */
function blockUntilEnded(pid: number): void {
  while (!/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8")));
}

function blockFor(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

test.runIf(existsSync("/proc/self/stat"))(
  "keeps the output of a process that ends while the loop is busy for longer than it waits for output",
  async () => {
    const go = join(makeTempFolder("run-process"), "go");
    let second = 0;
    const secondEnd = runProcess(
      request(["sh", "-c", 'until [ -e "$0" ]; do sleep 0.01; done; echo kept', go], {
        onStart: (pid) => {
          second = pid;
        },
      }),
    );
    let first = 0;
    const firstEnd = runProcess(
      request(["echo", "first"], {
        onStart: (pid) => {
          first = pid;
        },
        // The loop has the exit of the first in hand already; with it, it finds the second ended, whose output it has
        // not read yet.
        onLine: () => {
          writeFileSync(go, "");
          blockUntilEnded(second);
          setImmediate(() => blockFor(10));
        },
      }),
    );
    blockUntilEnded(first);
    expect((await firstEnd).stdout).toBe("first\n");
    expect((await secondEnd).stdout).toBe("kept\n");
  },
);
