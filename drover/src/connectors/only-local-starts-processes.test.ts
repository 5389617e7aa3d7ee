import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const SOURCES = fileURLToPath(new URL("..", import.meta.url));

/** For the person at the terminal: their editor, and Drover itself in the background. */
const FOR_THE_USER = ["lib/run-in-terminal.ts", "lib/start-detached.ts"];

it("starts processes nowhere but in connectors/local, and for the person at the terminal", () => {
  const starters = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/\.(test|conformance)\.ts$/.test(file))
    .filter((file) =>
      /["'](child_process|node:child_process|node:cluster)["']/.test(readFileSync(join(SOURCES, file), "utf8")),
    );
  const elsewhere = starters.filter((file) => !file.startsWith("connectors/local/"));
  expect(elsewhere.sort()).toEqual(FOR_THE_USER);
  expect(starters.length).toBeGreaterThan(elsewhere.length);
});
