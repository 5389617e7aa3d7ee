import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const SOURCES = fileURLToPath(new URL("..", import.meta.url));

it("starts processes nowhere but in connectors/local", () => {
  const starters = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/\.(test|conformance)\.ts$/.test(file))
    .filter((file) =>
      /["'](child_process|node:child_process|node:cluster)["']/.test(readFileSync(join(SOURCES, file), "utf8")),
    );
  expect(starters.filter((file) => !file.startsWith("connectors/local/"))).toEqual([]);
  expect(starters).not.toEqual([]);
});
