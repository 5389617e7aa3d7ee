import { type Finding, ok, warning } from "../domain/finding.ts";
import type { HostParts } from "./host-parts.ts";

export const IMAGES_CHECK = "Images";

/** Whether what declared clusters are made from is there; what is not has to be pulled first, which may take minutes. */
export async function checkImages(parts: HostParts, signal: AbortSignal): Promise<readonly Finding[]> {
  const wanted = [...new Set((await parts.listWantedImages()).map(withoutDigest))].sort();
  if (wanted.length === 0) return [];
  const there = new Set(await parts.engine.listImages(signal));
  const missing = wanted.filter((image) => !there.has(image));
  if (missing.length === 0) return [ok(IMAGES_CHECK, `${wanted.join(", ")}: there`)];
  const next = missing.map((image) => `docker pull ${image}`).join(" && ");
  return [warning(IMAGES_CHECK, `${missing.join(", ")}: not there, and pulled when first needed`, next)];
}

/** Lists name images by their tags. */
const withoutDigest = (image: string): string => image.replace(/@sha256:[0-9a-f]+$/, "");
