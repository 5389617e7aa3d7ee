import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { DroverError } from "@drover/contract";
import { mapBounded } from "../../lib/map-bounded.ts";

/** Reading is what takes the time. */
const READ_AT_ONCE = 4;

/** Known by size and time: what has not changed since is not read again. */
export class ChecksumMemory {
  readonly #sums = new Map<string, string>();

  /** Throws for the files of a folder that are not what they should be. */
  async check(
    folder: string,
    wanted: readonly { readonly path: string; readonly sha256: string }[],
    signal: AbortSignal,
  ): Promise<void> {
    const wrong = await mapBounded(wanted, READ_AT_ONCE, async ({ path, sha256 }) => {
      signal.throwIfAborted();
      return (await this.#sumOf(join(folder, path))) === sha256 ? [] : [path];
    });
    const paths = wrong.flat();
    if (paths.length === 0) return;
    throw new DroverError(
      "checksum-mismatch",
      `In ${folder} these are not what their checksums say: ${paths.join(", ")}. Nothing was sent.`,
      { details: { paths } },
    );
  }

  async #sumOf(path: string): Promise<string> {
    const seen = await stat(path).catch(() => null);
    if (seen === null) return "";
    const key = `${path} ${seen.size} ${seen.mtimeMs} ${seen.ino}`;
    const known = this.#sums.get(key);
    if (known !== undefined) return known;
    const hash = createHash("sha256");
    await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
    const sum = hash.digest("hex");
    this.#sums.set(key, sum);
    return sum;
  }
}
