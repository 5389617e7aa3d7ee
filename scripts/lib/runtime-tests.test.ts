import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { inRoot } from "./paths.mjs";
import { expandRuntime, RUNTIME_TESTS } from "./runtime-tests.mjs";

test("names only what is there, so that nothing drops out of it unseen", () => {
  expect(RUNTIME_TESTS.filter((path) => !existsSync(inRoot(path)))).toEqual([]);
});

test("stands in for --runtime", () => {
  expect(expandRuntime(["--runtime", "--bail"])).toEqual([...RUNTIME_TESTS, "--bail"]);
  expect(expandRuntime(["web"])).toEqual(["web"]);
});
