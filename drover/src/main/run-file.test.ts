import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeTempFolder } from "../../test/temp-folder.ts";
import { findRunning, leaveRunFile } from "./run-file.ts";

const makeFolder = () => makeTempFolder("run");
const FACTS = { url: "http://127.0.0.1:1/", version: "1.2.3" };

it("is found while the process runs, and not after it took its word back", () => {
  const folder = makeFolder();
  const remove = leaveRunFile(folder, FACTS);
  expect(findRunning(folder)).toMatchObject({ ...FACTS, pid: process.pid });
  remove();
  expect(findRunning(folder)).toBeNull();
});

it.each([
  ["a process that was killed", { pid: 2 ** 22 + 1, began: null, ...FACTS }],
  ["another process with the same number", { pid: process.pid, began: "1", ...FACTS }],
  ["all processes at once", { pid: -1, began: null, ...FACTS }],
  ["nothing", {}],
])("does not take what is left of %s for a running one", (_, content) => {
  const folder = makeFolder();
  writeFileSync(join(folder, "run.json"), JSON.stringify(content));
  expect(findRunning(folder)).toBeNull();
});

it("leaves the word of a process that came later", () => {
  const folder = makeFolder();
  const remove = leaveRunFile(folder, FACTS);
  writeFileSync(join(folder, "run.json"), JSON.stringify({ pid: process.ppid, began: null, ...FACTS }));
  remove();
  expect(findRunning(folder)).toMatchObject({ pid: process.ppid });
});

it("does not take a process for running that has ended and of which nobody has taken note", async () => {
  // The shell becomes a program that never asks after its children; the child ends once it has.
  const script = '{ while read -r name </proc/$$/comm && [ "$name" != sleep ]; do :; done; } & echo $!; exec sleep 60';
  const parent = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const [said] = (await once(parent.stdout, "data")) as [Buffer];
    const pid = Number(said.toString());
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, "utf8")).toContain(") Z ");
    const folder = makeFolder();
    writeFileSync(join(folder, "run.json"), JSON.stringify({ pid, began: null, ...FACTS }));
    expect(findRunning(folder)).toBeNull();
  } finally {
    parent.kill("SIGKILL");
  }
});
