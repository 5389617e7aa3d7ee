import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * What a stranger has after a clone into a private folder: every file of the tree that is or could be committed, and
 * nothing else, not even git.
 */
export function makeBareTree(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "drover-bare-"));
  const flags = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const names = execFileSync("git", flags, { cwd: ROOT, encoding: "utf8" }).split("\0");
  for (const name of names.filter((known) => known !== "" && isFile(join(ROOT, known)))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    copyFileSync(join(ROOT, name), join(folder, name));
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
