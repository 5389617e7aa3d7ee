import { createHash, randomBytes } from "node:crypto";
import { createReadStream, type Stats } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Clock } from "../../ports/clock.ts";

export interface CacheLimits {
  readonly bytes: number;
  /** What nobody used for that long goes. */
  readonly unusedMs: number;
  /** What was used since may be in use now, and stays, however much there is. */
  readonly inUseMs: number;
}

const DAY_MS = 86_400_000;
export const CACHE_LIMITS: CacheLimits = { bytes: 16 * 2 ** 30, unusedMs: 30 * DAY_MS, inUseMs: DAY_MS };

const PARTIAL = ".partial";
/** Whoever writes to a file does so more often. */
const LEFT_BEHIND_MS = 10_000;
const NOTED_EVERY_MS = 3_600_000;

/**
 * A folder of files that are named after their own checksums, for all workers of a data directory: whichever of two
 * comes first with a file, it is the same. Files on their way lie beside them under another name.
 */
export class ContentCache {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #limits: CacheLimits;
  /** Part of the names of this process's files on their way. */
  readonly #process = randomBytes(6).toString("hex");
  readonly #open = new Set<string>();
  /** By checksum: the file that was last found to be whole. */
  readonly #whole = new Map<string, string>();

  constructor(folder: string, clock: Clock, limits: CacheLimits = CACHE_LIMITS) {
    this.#folder = folder;
    this.#clock = clock;
    this.#limits = limits;
  }

  pathOf(name: string): string {
    return join(this.#folder, name);
  }

  /** The file with that content; null when it is not there. One that is not what its name says is removed. */
  async find(sha256: string): Promise<string | null> {
    const path = this.pathOf(sha256);
    const seen = await stat(path).catch(() => null);
    if (seen === null) return null;
    const identity = `${seen.ino} ${seen.size} ${seen.mtimeMs}`;
    if (this.#whole.get(sha256) !== identity) {
      if ((await sumOf(path)) !== sha256) {
        await rm(path, { force: true });
        return null;
      }
      this.#whole.set(sha256, identity);
    }
    await this.#noteUse(path, seen);
    return path;
  }

  /** A file to write to, with what an earlier try left of it, if that is nobody's any more. */
  async openPartial(name: string): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const own = this.pathOf(`${name}.${this.#process}-${randomBytes(4).toString("hex")}${PARTIAL}`);
    this.#open.add(own);
    for (const found of await readdir(this.#folder)) {
      if (!found.startsWith(`${name}.`) || !found.endsWith(PARTIAL)) continue;
      const path = this.pathOf(found);
      if (this.#open.has(path) || !(await this.#isLeftBehind(found))) continue;
      // Only one of those who want it gets it.
      const taken = await rename(path, own).then(
        () => true,
        () => false,
      );
      if (taken) break;
    }
    return own;
  }

  /** It stays for a later try. */
  closePartial(partial: string): void {
    this.#open.delete(partial);
  }

  /** Durable before it has its name, so that whatever has the name is whole. */
  async keep(partial: string, name: string): Promise<string> {
    const path = this.pathOf(name);
    const now = this.#clock.now() / 1_000;
    await utimes(partial, now, Math.floor(now));
    await sync(partial);
    await rename(partial, path);
    await sync(this.#folder);
    return path;
  }

  /** Takes out what was not used for long, and beyond that what is too much, longest unused first. */
  async prune(): Promise<void> {
    const now = this.#clock.now();
    const files = await Promise.all(
      (await readdir(this.#folder).catch(() => [])).map(async (name) => {
        const path = this.pathOf(name);
        const seen = await stat(path).catch(() => null);
        return { path, size: seen?.size ?? 0, usedAt: Math.max(seen?.atimeMs ?? now, seen?.mtimeMs ?? now) };
      }),
    );
    let kept = 0;
    for (const { path, size, usedAt } of files.sort((one, other) => other.usedAt - one.usedAt)) {
      const unusedMs = now - usedAt;
      kept += size;
      if (unusedMs > this.#limits.unusedMs || (kept > this.#limits.bytes && unusedMs > this.#limits.inUseMs)) {
        kept -= size;
        await rm(path, { force: true });
      }
    }
  }

  async #isLeftBehind(name: string): Promise<boolean> {
    if (name.includes(`.${this.#process}-`)) return true;
    const seen = await stat(this.pathOf(name)).catch(() => null);
    return seen !== null && this.#clock.now() - seen.mtimeMs > LEFT_BEHIND_MS;
  }

  /** The time of the last change stays, as the file is known by it: `keep` gave it whole seconds for this. */
  async #noteUse(path: string, { atimeMs, mtimeMs }: Stats): Promise<void> {
    const now = this.#clock.now();
    if (now - atimeMs > NOTED_EVERY_MS) await utimes(path, now / 1_000, Math.floor(mtimeMs / 1_000));
  }
}

export async function sumOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  return hash.digest("hex");
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
