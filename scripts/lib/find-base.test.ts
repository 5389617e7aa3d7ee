import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findBase, listChangedFiles, locatePassedCommits } from "./find-base.mjs";

const listAncestors = async () => ["c3", "c2", "c1"];

function keepPassed(...commits: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "drover-base-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "passed");
  writeFileSync(file, commits.map((commit) => `${commit}\n`).join(""));
  return file;
}

test("takes the commit that is named", async () => {
  expect(await findBase(["store", "--since", "v1.2"], { passedFile: keepPassed("c3"), listAncestors })).toBe("v1.2");
  await expect(findBase(["--since"])).rejects.toThrow("--since takes a commit");
});

test("takes the newest ancestor that passed, in whatever order they passed", async () => {
  expect(await findBase([], { passedFile: keepPassed("c2", "c1", "elsewhere"), listAncestors })).toBe("c2");
  expect(await findBase([], { passedFile: keepPassed("c1", "c2"), listAncestors })).toBe("c2");
});

test("knows no base when no ancestor passed, and none when nothing ever did", async () => {
  expect(await findBase([], { passedFile: keepPassed("elsewhere"), listAncestors })).toBeUndefined();
  expect(await findBase([], { passedFile: "/no/such/file", listAncestors })).toBeUndefined();
});

test("keeps the commits that passed in the cache of the user", () => {
  expect(locatePassedCommits({ XDG_CACHE_HOME: "/cache" })).toBe("/cache/drover-ci/passed");
  expect(locatePassedCommits({})).toMatch(/\/\.cache\/drover-ci\/passed$/);
});

test("cannot tell what changed without a base, or from one that git does not know", async () => {
  expect(await listChangedFiles(undefined)).toBeUndefined();
  expect(await listChangedFiles("no-such-commit")).toBeUndefined();
});
