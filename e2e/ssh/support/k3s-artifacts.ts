import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { archiveName } from "../../../drover/src/providers/ssh/steps/preload-ssh-images.ts";
import type { Place } from "../../support/place.ts";
import { k3sArtifacts } from "./machines.ts";

const SUMS = "SHA256SUMS";

/** The releases of k3s, and beside them an archive of an image of this host's Docker. */
export function artifactsWithImage(place: Place, image: string): string {
  const [releases, folder] = [k3sArtifacts(), join(place.folder, "k3s-artifacts")];
  mkdirSync(join(folder, "images"), { recursive: true });
  for (const name of readdirSync(releases)) {
    if (name !== SUMS) symlinkSync(join(releases, name), join(folder, name));
  }
  const path = `images/${archiveName(image)}`;
  execFileSync("docker", ["save", "-o", join(folder, path), image]);
  const sum = createHash("sha256")
    .update(readFileSync(join(folder, path)))
    .digest("hex");
  const others = existsSync(join(releases, SUMS)) ? readFileSync(join(releases, SUMS), "utf8") : "";
  writeFileSync(join(folder, SUMS), `${others}${sum}  ${path}\n`);
  return folder;
}
