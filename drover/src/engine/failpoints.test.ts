import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ENGINE_FAILPOINTS } from "./failpoints.ts";

it("lists every failpoint of the engine once, and none that is not there", () => {
  const folder = new URL("./", import.meta.url);
  const sources = readdirSync(folder).filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  const used = sources
    .flatMap((file) => [...readFileSync(new URL(file, folder), "utf8").matchAll(/\bfailpoint\(\s*([^)]*)\)/g)])
    .map((match) => match[1]);
  expect(used.toSorted()).toEqual(ENGINE_FAILPOINTS.map((name) => JSON.stringify(name)).toSorted());
});
