import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

let text: string | null = null;

/** The document that was made from the contract when Drover was built. */
export function readOpenApi(): string {
  text ??= readFileSync(createRequire(import.meta.url).resolve("@drover/contract/openapi.json"), "utf8");
  return text;
}
