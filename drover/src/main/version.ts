import { readFileSync } from "node:fs";

/** The version in the package's own package.json, two folders above both the sources and the build. */
export function readVersion(): string {
  const file = new URL("../../package.json", import.meta.url);
  const { version } = JSON.parse(readFileSync(file, "utf8")) as { version: string };
  return version;
}
