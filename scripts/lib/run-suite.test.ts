import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runSuite } from "./run-suite.mjs";

async function run(suite: { needs?: string[]; paths: string[] }) {
  const folder = mkdtempSync(join(tmpdir(), "drover-run-suite-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const logFile = join(folder, "said.log");
  const described = { name: "any", lane: "any", smoke: [], affectedBy: [], leftOut: [], ...suite };
  const { counts } = await runSuite(described, { logFile });
  return { counts, said: readFileSync(logFile, "utf8") };
}

test("a suite that lacks a variable fails and says which", async () => {
  const { counts, said } = await run({ needs: ["PATH", "DROVER_NO_SUCH_VARIABLE"], paths: ["e2e/store/"] });
  expect(counts).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(said).toContain("cannot run without DROVER_NO_SUCH_VARIABLE; e2e/README.md says what to set");
});

test("a suite that ran nothing fails", async () => {
  const { counts } = await run({ paths: ["e2e/no-such-suite/"] });
  expect(counts).toEqual({ passed: 0, failed: 1, skipped: 0 });
});
