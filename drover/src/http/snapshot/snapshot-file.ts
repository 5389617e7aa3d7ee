import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Cluster } from "@drover/contract";
import { toTime } from "../present/time.ts";

/** A snapshot as a JSON document. Nobody ever sees half of one: it takes the place of the one before when it is whole. */
export class SnapshotFile {
  readonly #path: string;
  readonly #draft: string;
  #handle: FileHandle | null;
  #isEmpty = true;

  private constructor(path: string, draft: string, handle: FileHandle) {
    this.#path = path;
    this.#draft = draft;
    this.#handle = handle;
  }

  static async create(path: string, at: number): Promise<SnapshotFile> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const draft = `${path}.${process.pid}`;
    const handle = await open(draft, "w", 0o600);
    await handle.write(`{"time":${JSON.stringify(toTime(at))},"clusters":[`);
    return new SnapshotFile(path, draft, handle);
  }

  async append(clusters: readonly Cluster[]): Promise<void> {
    if (clusters.length === 0) return;
    const lines = clusters.map((cluster) => JSON.stringify(cluster)).join(",\n");
    await this.#handle?.write(`${this.#isEmpty ? "\n" : ",\n"}${lines}`);
    this.#isEmpty = false;
  }

  async finish(): Promise<void> {
    await this.#handle?.write("\n]}\n");
    await this.#handle?.sync();
    await this.#close();
    await rename(this.#draft, this.#path);
  }

  /** Takes away what was not finished; after `finish` there is nothing left to do. */
  async discard(): Promise<void> {
    if (this.#handle === null) return;
    await this.#close();
    await rm(this.#draft, { force: true });
  }

  async #close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    await handle?.close();
  }
}
