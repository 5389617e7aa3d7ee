import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const made: string[] = [];

/** A folder for the tests of one file. It is removed when all of them have ended; see clean-up.ts. */
export function makeTempFolder(name = "folder"): string {
  const folder = mkdtempSync(join(tmpdir(), `drover-${name}-`));
  made.push(folder);
  return folder;
}

export function removeTempFolders(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
