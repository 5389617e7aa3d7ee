import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ARTIFACTS } from "./machines.ts";

const sha256 = (content: Buffer | string): string => createHash("sha256").update(content).digest("hex");

/** The artifacts of the test bed, and kube-vip beside the images of one version. */
export function artifactsWithKubeVip(folder: string, version: string, archive: string, image: string): string {
  const link = (from: string, to: string, without: readonly string[] = []) => {
    mkdirSync(to, { recursive: true });
    for (const entry of readdirSync(from))
      if (!without.includes(entry)) symlinkSync(join(from, entry), join(to, entry));
  };
  link(ARTIFACTS, folder, ["SHA256SUMS", version]);
  link(join(ARTIFACTS, version), join(folder, version), ["images", "images.list"]);
  link(join(ARTIFACTS, version, "images"), join(folder, version, "images"));
  symlinkSync(archive, join(folder, version, "images/kube-vip.tar"));
  const list = `${readFileSync(join(ARTIFACTS, version, "images.list"), "utf8").trimEnd()}\n${image}\n`;
  writeFileSync(join(folder, version, "images.list"), list);
  const sums = readFileSync(join(ARTIFACTS, "SHA256SUMS"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.endsWith(` ${version}/images.list`));
  sums.push(`${sha256(list)}  ${version}/images.list`);
  sums.push(`${sha256(readFileSync(archive))}  ${version}/images/kube-vip.tar`);
  writeFileSync(join(folder, "SHA256SUMS"), `${sums.join("\n")}\n`);
  return folder;
}
