import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** A file in the making. Nobody ever sees half of it: it takes the place of the one before when it is whole. */
export class DraftFile {
  readonly #path: string;
  readonly #draft: string;
  #handle: FileHandle | null;

  private constructor(path: string, draft: string, handle: FileHandle) {
    this.#path = path;
    this.#draft = draft;
    this.#handle = handle;
  }

  static async create(path: string): Promise<DraftFile> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const draft = `${path}.${process.pid}`;
    return new DraftFile(path, draft, await open(draft, "w", 0o600));
  }

  async write(text: string): Promise<void> {
    await this.#handle?.write(text);
  }

  async finish(): Promise<void> {
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
