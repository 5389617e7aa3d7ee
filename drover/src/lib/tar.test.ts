import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeTar } from "./tar.ts";

it("makes archives that tar takes out again", () => {
  const folder = mkdtempSync(join(tmpdir(), "drover-tar-"));
  try {
    const entries = [
      { name: "a.json", content: '{"grüße":"集群"}' },
      { name: "logs/b.txt", content: "x".repeat(512) },
      { name: "empty", content: "" },
    ];
    writeFileSync(join(folder, "bundle.tar"), makeTar(entries, 1_700_000_000_000));
    execFileSync("tar", ["-xf", "bundle.tar"], { cwd: folder });
    for (const { name, content } of entries) expect(readFileSync(join(folder, name), "utf8")).toBe(content);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("refuses names that do not fit", () => {
  expect(() => makeTar([{ name: "x".repeat(101), content: "" }], 0)).toThrow(RangeError);
});
