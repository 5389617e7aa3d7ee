import { spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeTestFolder } from "./test-folder.mjs";

test("a run that cleaned up left nothing", () => {
  const folder = makeTestFolder();
  onTestFinished(folder.remove);
  expect(folder.path.startsWith(tmpdir())).toBe(true);
  expect(folder.listLeftovers()).toEqual([]);
});

test("names the files that a run left, and removes them", () => {
  const folder = makeTestFolder();
  onTestFinished(folder.remove);
  mkdirSync(join(folder.path, "drover-cli-x/data"), { recursive: true });
  expect(folder.listLeftovers()).toEqual(["drover-cli-x in the temporary folder"]);
  folder.remove();
  expect(existsSync(folder.path)).toBe(false);
});

test.runIf(existsSync("/proc/self/environ"))("names the processes that a run left, and ends them", async () => {
  const folder = makeTestFolder();
  onTestFinished(folder.remove);
  const env = { ...process.env, ...folder.environment };
  const child = spawn(process.execPath, ["-e", "console.log(1); setInterval(() => {}, 1000)"], { env });
  const ended = new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal)));
  await new Promise((resolve) => child.stdout.once("data", resolve));
  expect(folder.listLeftovers()).toEqual([expect.stringContaining(`process ${child.pid}: `)]);
  folder.remove();
  expect(await ended).toBe("SIGKILL");
});
