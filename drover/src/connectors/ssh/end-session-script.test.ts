import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { makeEndScript } from "./end-session-script.ts";

it("ends whoever comes after a process that ended while it was looked at", async () => {
  const child = spawn("sh", ["-c", 'trap "" TERM; echo; exec sleep 60'], { detached: true });
  const { pid = 0 } = child;
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise((resolve) => child.once("exit", (_code, signal) => resolve(signal)));
  await new Promise((resolve) => child.stdout.once("data", resolve));
  const processes = await mkdtemp(join(tmpdir(), "drover-processes-"));
  onTestFinished(() => rm(processes, { recursive: true }));
  // Can be opened, but not read, as what has gone in between.
  await mkdir(join(processes, "0"));
  await symlink("/proc/self/mem", join(processes, "0", "stat"));
  await symlink(`/proc/${pid}`, join(processes, String(pid)));
  const { stdout } = await promisify(execFile)("sh", ["-c", makeEndScript([pid], 100, processes)]);
  expect(stdout).toBe("");
  expect(await ended).toBe("SIGKILL");
});
