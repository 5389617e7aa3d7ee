import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findRunning, leaveRunFile } from "./run-file.ts";

const makeFolder = () => mkdtempSync(join(tmpdir(), "drover-run-"));
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
