import { rm } from "node:fs/promises";
import { basename } from "node:path";
import { DroverError } from "@drover/contract";
import { Places } from "../../lib/places.ts";
import type { DepotFile, DepotRequest, HttpCredential } from "../../ports/artifact-depot.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Timer } from "../../ports/timer.ts";
import { type ContentCache, sumOf } from "./content-cache.ts";
import { download, type Patience, withPatience } from "./download.ts";
import { nameOf, refusalOf, Unavailable, untrusted } from "./failures.ts";
import { type GetRequest, get } from "./http-get.ts";

/** Of this process; more would only share the same line. */
const FETCHES_AT_ONCE = 6;
const SILENCE_MS = 60_000;
const TOLD_EVERY_MS = 5_000;
/** A list of a hundred thousand files. */
const LONGEST_TEXT = 16 << 20;

interface FetcherParts {
  readonly clock: Clock;
  readonly timer: Timer;
  readonly silenceMs: number | undefined;
}

/** Brings files from the network into the cache, each only if it is what its checksum says. */
export class Fetcher {
  readonly #cache: ContentCache;
  readonly #clock: Clock;
  readonly #patience: Patience;
  readonly #silenceMs: number;
  readonly #places = new Places(FETCHES_AT_ONCE);

  constructor(cache: ContentCache, { clock, timer, silenceMs = SILENCE_MS }: FetcherParts) {
    this.#cache = cache;
    this.#clock = clock;
    this.#patience = { timer, attempts: 6, baseMs: 500, capMs: 15_000 };
    this.#silenceMs = silenceMs;
  }

  /** Null when it is not there. */
  async readText(url: URL, credential: HttpCredential | null, request: DepotRequest): Promise<string | null> {
    const asked: GetRequest = { url, credential, signal: request.signal, silenceMs: this.#silenceMs };
    return await withPatience(asked, this.#patience, () => readBody(asked), {
      onRetry: (why) => request.log(`${nameOf(url)}: ${why}; trying again.`),
    });
  }

  async keep(url: URL, file: DepotFile, credential: HttpCredential | null, request: DepotRequest): Promise<string> {
    return await this.#withPartial(url, file, credential, request, async (partial) => {
      try {
        return await this.#cache.keep(partial, file.sha256);
      } catch (error) {
        // Another worker may have gone on with the file, and be done.
        const found = await this.#cache.find(file.sha256);
        if (found === null) throw error;
        return found;
      }
    });
  }

  /** For as long as it is worked with; gone afterwards. */
  async use<T>(
    url: URL,
    file: DepotFile,
    credential: HttpCredential | null,
    request: DepotRequest,
    work: (path: string) => Promise<T>,
  ): Promise<T> {
    return await this.#withPartial(url, file, credential, request, async (partial) => {
      const result = await work(partial);
      await rm(partial, { force: true });
      return result;
    });
  }

  async #withPartial<T>(
    url: URL,
    file: DepotFile,
    credential: HttpCredential | null,
    request: DepotRequest,
    work: (partial: string) => Promise<T>,
  ): Promise<T> {
    return await this.#places.take(request.signal, async () => {
      const partial = await this.#cache.openPartial(file.sha256);
      try {
        await this.#fill(
          partial,
          { url, credential, signal: request.signal, silenceMs: this.#silenceMs },
          file,
          request,
        );
        return await work(partial);
      } finally {
        this.#cache.closePartial(partial);
      }
    });
  }

  /** What was gone on with may have begun with something else: then it is fetched once more, from its beginning. */
  async #fill(partial: string, asked: GetRequest, file: DepotFile, request: DepotRequest): Promise<void> {
    for (;;) {
      const { resumed } = await download(asked, partial, this.#patience, this.#tell(file, request));
      if ((await sumOf(partial)) === file.sha256) return;
      await rm(partial, { force: true });
      if (resumed) continue;
      const message = `${nameOf(asked.url)} is not what its checksum says. Nothing was sent.`;
      throw new DroverError("checksum-mismatch", message, {
        details: { paths: [file.path], address: nameOf(asked.url) },
      });
    }
  }

  #tell({ path }: DepotFile, { log }: DepotRequest) {
    const name = basename(path);
    let toldAt = this.#clock.monotonic();
    return {
      onRetry: (why: string) => log(`${name}: ${why}; trying again.`),
      onBytes: (done: number, total: number | null) => {
        const now = this.#clock.monotonic();
        if (done !== total && now - toldAt < TOLD_EVERY_MS) return;
        toldAt = now;
        log(
          `Fetching ${name}, ${total === null ? inMegabytes(done) : `${inMegabytes(done)} of ${inMegabytes(total)}`} MB.`,
        );
      },
    };
  }
}

const inMegabytes = (bytes: number): string => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);

async function readBody(asked: GetRequest): Promise<string | null> {
  const { url, signal } = asked;
  const { status, body } = await get(asked);
  if (status !== 200) {
    body.destroy();
    if (status === 404 || status === 410) return null;
    throw refusalOf(url, status);
  }
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > LONGEST_TEXT) break;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new Unavailable("it broke off", error);
  }
  if (length > LONGEST_TEXT) throw untrusted(url, "it is much longer than a list of checksums");
  return Buffer.concat(chunks).toString("utf8");
}
