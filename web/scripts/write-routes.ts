import { readFileSync, writeFileSync } from "node:fs";
import { ROUTES } from "@drover/contract";

const FILE = new URL("../src/api/generated/routes.ts", import.meta.url);

/** Method and path of every route and nothing more: the page is not to carry the schemas of the whole API. */
const lines = Object.entries(ROUTES).flatMap(([table, routes]) => [
  `  ${table}: {`,
  ...Object.entries(routes).map(([name, { method, path }]) => `    ${name}: ["${method}", "${path}"],`),
  "  },",
]);
const text = [
  "// Written by web/scripts/write-routes.ts from contract/src/routes; npm run generate writes it anew.",
  "export const ROUTE_ADDRESSES = {",
  ...lines,
  "} as const;",
  "",
].join("\n");

if (!process.argv.includes("--check")) writeFileSync(FILE, text);
else if (readFileSync(FILE, "utf8") !== text) {
  console.error("web/src/api/generated/routes.ts does not fit the contract; run npm run generate");
  process.exitCode = 1;
}
