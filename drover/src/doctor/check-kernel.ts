import { type Finding, ok, warning } from "../domain/finding.ts";
import type { HostParts } from "./host-parts.ts";
import { asRoot } from "./next-moves.ts";

/** What kind says it needs; with less, nodes come up and pods do not. */
const LIMITS = [
  ["max_user_watches", 524_288],
  ["max_user_instances", 512],
] as const;

/** Each node of a cluster watches many files, and the kernel counts them all for one user. */
export async function checkInotify({ readText, platform }: HostParts): Promise<readonly Finding[]> {
  const found: { readonly name: string; readonly least: number; readonly value: number }[] = [];
  for (const [name, least] of LIMITS) {
    const text = await readText(`/proc/sys/fs/inotify/${name}`);
    if (text !== null) found.push({ name, least, value: Number(text) });
  }
  if (found.length === 0) return [];
  const detail = found.map(({ name, value }) => `${name} ${value}`).join(", ");
  const low = found.filter(({ value, least }) => value < least);
  if (low.length === 0) return [ok("File watches", detail)];
  const settings = low.map(({ name, least }) => `fs.inotify.${name}=${least}`);
  // Added to what is there: the other limit may have been raised by the same file.
  const keep = asRoot(platform, "tee -a /etc/sysctl.d/90-drover.conf");
  const next = `printf '%s\\n' ${settings.join(" ")} | ${keep} && ${asRoot(platform, "sysctl --system")}`;
  const short = low.map(({ name, value, least }) => `${name} is ${value} instead of ${least}`).join(", ");
  return [warning("File watches", `${short}: with several nodes on one machine, pods may not start.`, next)];
}
