import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runWithin } from "./run-within.mjs";

const LONG = { limitMs: 20_000, graceMs: 20_000 };
const SHORT = { limitMs: 300, graceMs: 300 };
const FOREVER = "setInterval(() => {}, 1_000);";

const runScript = (script: string, limits: Parameters<typeof runWithin>[2]) =>
  runWithin(process.execPath, ["-e", script], limits);

const isAlive = (pid: number): boolean => {
  try {
    // One that has ended and that nobody has fetched yet is no longer alive.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
};

test("answers exit code and both outputs", async () => {
  const ended = await runScript("console.log('out'); console.error('err'); process.exitCode = 3", LONG);
  expect(ended).toEqual({ code: 3, stdout: "out\n", stderr: "err\n", isTooLong: false });
});

test("asks a program to end when its time is up, and lets it clean up", async () => {
  // A shell is there at once, also on a busy machine: before its trap is set it would just end.
  const script = `trap "echo cleaned up; exit 143" TERM; while :; do sleep 0.05; done`;
  const ended = await runWithin("sh", ["-c", script], { limitMs: 1_000, graceMs: 20_000 });
  expect(ended).toMatchObject({ code: 143, stdout: "cleaned up\n", isTooLong: true });
});

test("ends a program that does not listen", async () => {
  const ended = await runScript(`process.on("SIGTERM", () => {}); ${FOREVER}`, SHORT);
  expect(ended.isTooLong).toBe(true);
  expect(ended.code).toBeGreaterThan(128);
});

test("leaves nothing running of what a program has started", async () => {
  const script = `const child = require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(FOREVER)}]);
    console.log(child.pid); process.exit(0);`;
  const { stdout } = await runScript(script, LONG);
  await expect.poll(() => isAlive(Number(stdout))).toBe(false);
});

test("ends before its time when it is asked to", async () => {
  const stopping = new AbortController();
  const running = runScript(FOREVER, { ...LONG, signal: stopping.signal });
  stopping.abort();
  expect(await running).toMatchObject({ code: 143, isTooLong: false });
});
