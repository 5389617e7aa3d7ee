import { readFile } from "node:fs/promises";
import { DroverError, isDroverError } from "@drover/contract";
import { TurnsByKey } from "../../lib/turns-by-key.ts";
import type { ArtifactDepot, ArtifactPlace, DepotFile, DepotRequest } from "../../ports/artifact-depot.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Timer } from "../../ports/timer.ts";
import { type CacheLimits, ContentCache } from "./content-cache.ts";
import { nameOf } from "./failures.ts";
import { Fetcher } from "./fetcher.ts";
import { type ArchiveIndex, unpackArchive } from "./unpack-archive.ts";

export interface DepotParts {
  /** For this and for whoever else has the same data directory. */
  readonly folder: string;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly limits?: CacheLimits;
  readonly silenceMs?: number;
}

/** How many texts are remembered: those of the jobs under way, several times over. */
const MOST_TEXTS = 512;
const TIDIED_EVERY_MS = 3_600_000;

export function makeArtifactDepot(parts: DepotParts): ArtifactDepot {
  return new Depot(parts);
}

class Depot implements ArtifactDepot {
  readonly #cache: ContentCache;
  readonly #fetcher: Fetcher;
  readonly #clock: Clock;
  readonly #turns = new TurnsByKey();
  readonly #texts = new Map<string, string | null>();
  #tidiedAt = Number.NEGATIVE_INFINITY;

  constructor({ folder, clock, timer, limits, silenceMs }: DepotParts) {
    this.#cache = new ContentCache(folder, clock, limits);
    this.#fetcher = new Fetcher(this.#cache, { clock, timer, silenceMs });
    this.#clock = clock;
  }

  async isReadable(place: ArtifactPlace, request: DepotRequest): Promise<boolean> {
    if (place.source === "mirror") return true;
    return (await this.#findIndex(await this.#archiveSum(place, request))) !== null;
  }

  async readText(place: ArtifactPlace, path: string, request: DepotRequest): Promise<string | null> {
    if (place.source === "mirror") return await this.#readRemembered(addressIn(place, path), place, request);
    const sha256 = (await this.#index(place, request)).get(path);
    if (sha256 === undefined) return null;
    return await readFile(await this.#fetchMember(place, { path, sha256 }, request), "utf8");
  }

  async has({ sha256 }: DepotFile): Promise<boolean> {
    return (await this.#cache.find(sha256)) !== null;
  }

  async fetch(place: ArtifactPlace, file: DepotFile, request: DepotRequest): Promise<string> {
    await this.#tidy();
    if (place.source === "url") return await this.#fetchMember(place, file, request);
    return await this.#turns.take(file.sha256, request.signal, async () => {
      const known = await this.#cache.find(file.sha256);
      if (known !== null) return known;
      return await this.#fetcher.keep(addressIn(place, file.path), file, place.credential, request);
    });
  }

  async #fetchMember(place: ArtifactPlace, { path, sha256 }: DepotFile, request: DepotRequest): Promise<string> {
    const archive = nameOf(new URL(place.location));
    const held = (await this.#index(place, request)).get(path);
    if (held === undefined) {
      throw new DroverError("artifact-missing", `${path} is not in ${archive}.`, { details: { path, archive } });
    }
    if (held !== sha256) {
      const message = `${path} in ${archive} is not what its checksum says. Nothing was sent.`;
      throw new DroverError("checksum-mismatch", message, { details: { paths: [path] } });
    }
    const known = await this.#cache.find(sha256);
    if (known !== null) return known;
    // It was taken out since: the archive is unpacked anew.
    const sum = await this.#archiveSum(place, request);
    await this.#unpack(place, sum, request, async () => (await this.#cache.find(sha256)) === null);
    const found = await this.#cache.find(sha256);
    if (found !== null) return found;
    throw new DroverError("artifacts-unreachable", `${path} of ${archive} is gone from the worker's folder again.`);
  }

  async #index(place: ArtifactPlace, request: DepotRequest): Promise<ArchiveIndex> {
    const sum = await this.#archiveSum(place, request);
    return (await this.#findIndex(sum)) ?? (await this.#unpack(place, sum, request, async () => false));
  }

  async #unpack(
    place: ArtifactPlace,
    sha256: string,
    request: DepotRequest,
    /** Asked once an index is there, which may have come about while this waited for its turn. */
    isNeededAgain: () => Promise<boolean>,
  ): Promise<ArchiveIndex> {
    const url = new URL(place.location);
    return await this.#turns.take(sha256, request.signal, async () => {
      const known = await this.#findIndex(sha256);
      if (known !== null && !(await isNeededAgain())) return known;
      const file = { path: fileNameOf(url), sha256 };
      return await this.#fetcher.use(url, file, place.credential, request, async (archive) => {
        request.log(`Unpacking ${file.path}.`);
        try {
          return await unpackArchive(archive, this.#cache, indexName(sha256), request.signal);
        } catch (error) {
          request.signal.throwIfAborted();
          if (isDroverError(error)) throw error;
          const why = error instanceof Error ? error.message : String(error);
          const message = `${nameOf(url)} cannot be unpacked: ${why} It has to be a tar archive, as it is or with gzip.`;
          throw new DroverError("artifacts-untrusted", message, { cause: error });
        }
      });
    });
  }

  async #findIndex(sha256: string): Promise<ArchiveIndex | null> {
    const text = await readFile(this.#cache.pathOf(indexName(sha256)), "utf8").catch(() => null);
    return text === null ? null : new Map(Object.entries(JSON.parse(text) as Record<string, string>));
  }

  /** What the spec pins, or what lies beside the archive. */
  async #archiveSum(place: ArtifactPlace, request: DepotRequest): Promise<string> {
    const url = new URL(place.location);
    const pinned = place.checksums[fileNameOf(url)];
    if (pinned !== undefined) return pinned;
    const beside = new URL(url);
    beside.pathname += ".sha256";
    const text = await this.#readRemembered(beside, place, request);
    const sum = /^([a-f0-9]{64})(?:\s|$)/.exec(text ?? "")?.[1];
    if (sum !== undefined) return sum;
    throw new DroverError(
      "artifact-missing",
      `${nameOf(beside)} ${text === null ? "is not there" : "is no checksum"}. Put the SHA-256 of the archive there, or name it in spec.ssh.artifacts.checksums as ${fileNameOf(url)}.`,
      { details: { address: nameOf(beside) } },
    );
  }

  /** One state for all requests of a reader, and one question. */
  async #readRemembered(url: URL, { credential }: ArtifactPlace, request: DepotRequest): Promise<string | null> {
    const key = `${request.reader} ${url.href}`;
    return await this.#turns.take(key, request.signal, async () => {
      const known = this.#texts.get(key);
      if (known !== undefined) return known;
      const text = await this.#fetcher.readText(url, credential, request);
      this.#texts.set(key, text);
      for (const oldest of [...this.#texts.keys()].slice(0, Math.max(0, this.#texts.size - MOST_TEXTS))) {
        this.#texts.delete(oldest);
      }
      return text;
    });
  }

  async #tidy(): Promise<void> {
    if (this.#clock.monotonic() - this.#tidiedAt < TIDIED_EVERY_MS) return;
    this.#tidiedAt = this.#clock.monotonic();
    await this.#cache.prune();
  }
}

const indexName = (sha256: string): string => `index-${sha256}.json`;

const fileNameOf = ({ pathname }: URL): string => decodeURIComponent(pathname.slice(pathname.lastIndexOf("/") + 1));

/** What was asked with, such as a signature, goes along. */
function addressIn({ location }: ArtifactPlace, path: string): URL {
  const url = new URL(location);
  const parts = path.split("/").map(encodeURIComponent).join("/");
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/${parts}`;
  return url;
}
