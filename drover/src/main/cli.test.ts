import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const MAIN = fileURLToPath(new URL("./cli.ts", import.meta.url));
/** What is imported at once; types and `import()` are not. */
const IMPORT = /^(?:import|export) (?!type\b)(?:[^;]*? from )?"([^"]+)";/gm;

/** Everything that is read from disk before the first command is known. */
function reach(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, target = ""] of readFileSync(file, "utf8").matchAll(IMPORT)) {
    if (target.startsWith(".")) reach(resolve(dirname(file), target), found);
    else found.add(target);
  }
  return found;
}

it("loads next to nothing for `drover --help`", () => {
  const found = [...reach(MAIN)];
  const packages = found.filter((one) => !one.startsWith("/") && !one.startsWith("node:"));
  expect(packages).toEqual(["commander"]);
  expect(found.length).toBeLessThan(25);
});
