import { expect, test } from "vitest";
import { AREAS, nameAreas } from "./name-areas.mjs";

test("tells documents, the page, tests and benchmarks from the product", () => {
  expect(nameAreas(["docs/ssh.md", "README.md", "e2e/README.md", "LICENSE"])).toEqual(["docs"]);
  expect(nameAreas(["web/src/pages/index.ts", "docs/ssh.md"])).toEqual(["docs", "web"]);
  expect(nameAreas(["web/src/lib/a.test.tsx", "drover/test/http.ts"])).toEqual(["tests"]);
  expect(nameAreas(["e2e/web/live.test.ts", "bench/b1.mjs"])).toEqual(["e2e", "bench"]);
});

test("takes what it does not know for the product", () => {
  for (const file of ["drover/src/lib/a.ts", "package.json", "scripts/e2e.mjs", ".ci/run", "new/folder/file"]) {
    expect(nameAreas([file]), file).toEqual(["product"]);
  }
});

test("takes everything for changed where that is not known", () => {
  expect(nameAreas(undefined)).toEqual(AREAS);
  expect(nameAreas([])).toEqual([]);
});
