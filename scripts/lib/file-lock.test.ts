import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { makeTree } from "../test/tree.ts";
import { withFileLock } from "./file-lock.mjs";

const pollMs = 5;

function startSleeper(): { pid: number; kill: () => Promise<void> } {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.on("exit", () => resolve()));
  const kill = () => {
    child.kill("SIGKILL");
    return ended;
  };
  onTestFinished(kill);
  return { pid: child.pid ?? 0, kill };
}

test("lets one in at a time and keeps nobody out for good", async () => {
  const path = join(makeTree({}), "a.lock");
  let inside = 0;
  const visit = () =>
    withFileLock(
      path,
      async () => {
        inside += 1;
        expect(inside).toBe(1);
        await sleep(2);
        inside -= 1;
      },
      { pollMs },
    );
  await Promise.all(Array.from({ length: 8 }, visit));
  expect(existsSync(path)).toBe(false);
});

test("is free again after a failure", async () => {
  const path = join(makeTree({}), "a.lock");
  await expect(withFileLock(path, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await withFileLock(path, async () => "in")).toBe("in");
});

test("waits for a program that a killed holder left running", async () => {
  const root = makeTree({});
  const path = join(root, "a.lock");
  const left = startSleeper();
  await withFileLock(path, async (lock) => {
    lock.share(left.pid);
    writeFileSync(join(root, "copy"), readFileSync(path));
  });
  const [, child] = JSON.parse(readFileSync(join(root, "copy"), "utf8")) as unknown[];
  writeFileSync(path, JSON.stringify([{ pid: 2 ** 22 + 1, started: "1" }, child]));
  let waited = false;
  let entered = false;
  const onWait = () => {
    waited = true;
  };
  const visit = withFileLock(
    path,
    async () => {
      entered = true;
    },
    { pollMs, onWait },
  );
  await sleep(50);
  expect([waited, entered]).toEqual([true, false]);
  await left.kill();
  await visit;
  expect(entered).toBe(true);
});

test("does not take a reused process number for the old holder", async () => {
  const path = join(makeTree({}), "a.lock");
  writeFileSync(path, JSON.stringify([{ pid: process.pid, started: "1" }]));
  expect(await withFileLock(path, async () => "in", { pollMs })).toBe("in");
});
