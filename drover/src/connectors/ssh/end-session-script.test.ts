import { execFile, spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { makeEndScript, readSurvivors } from "./end-session-script.ts";

/** A process that ignores the request to end, in a session of its own. */
async function startStubborn() {
  const child = spawn("sh", ["-c", 'trap "" TERM; echo; exec sleep 60'], { detached: true });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise((resolve) => child.once("exit", (_code, signal) => resolve(signal)));
  await new Promise((resolve) => child.stdout.once("data", resolve));
  return { pid: child.pid ?? 0, ended };
}

async function makeFolder() {
  const folder = await mkdtemp(join(tmpdir(), "drover-processes-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

it("measures the grace in time, on a host where each look at its processes takes long", async () => {
  const { pid, ended } = await startStubborn();
  const folder = await makeFolder();
  await writeFile(join(folder, "cat"), '#!/bin/sh\nsleep 0.3\nexec /bin/cat "$@"\n');
  await chmod(join(folder, "cat"), 0o755);
  const script = makeEndScript([pid], 1_000);
  const env = { PATH: `${folder}:${process.env["PATH"]}` };
  const { stdout } = await promisify(execFile)("sh", ["-c", script], { env });
  expect(await ended).toBe("SIGKILL");
  expect(readSurvivors(stdout)).toEqual([]);
  const turns = stdout.split("\n").filter((line) => line === ".").length;
  // At least 0.35 s a turn: three at most in the grace, and two in each half second after a kill.
  expect(turns).toBeGreaterThan(0);
  expect(turns).toBeLessThan(12);
});

it("goes on to the end when nobody hears it any more", async () => {
  const { pid, ended } = await startStubborn();
  const script = spawn("sh", ["-c", makeEndScript([pid], 300)], { stdio: ["ignore", "pipe", "ignore"] });
  script.stdout.destroy();
  expect(await ended).toBe("SIGKILL");
});

it("ends whoever comes after a process that ended while it was looked at", async () => {
  const { pid, ended } = await startStubborn();
  const processes = await makeFolder();
  // Can be opened, but not read, as what has gone in between.
  await mkdir(join(processes, "0"));
  await symlink("/proc/self/mem", join(processes, "0", "stat"));
  await symlink(`/proc/${pid}`, join(processes, String(pid)));
  const { stdout } = await promisify(execFile)("sh", ["-c", makeEndScript([pid], 100, processes)]);
  expect(readSurvivors(stdout)).toEqual([]);
  expect(await ended).toBe("SIGKILL");
});
