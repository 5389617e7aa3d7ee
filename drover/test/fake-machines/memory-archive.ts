import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BackupPlace, describePlace } from "../../src/domain/backup.ts";
import type { BackupArchive } from "../../src/ports/backup-archive.ts";
import { makeTempFolder } from "../temp-folder.ts";

/** An archive of a few files, which a test may look into and spoil. */
export class MemoryArchive implements BackupArchive {
  readonly files = new Map<string, Buffer>();
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(): Promise<MemoryArchive> {
    return new MemoryArchive(makeTempFolder("archive"));
  }

  async dispose(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  placeFor(_destination: unknown, cluster: string, backup: string): BackupPlace {
    return { type: "directory", host: "h1", path: `/${cluster}/${backup}` };
  }

  reaches(): boolean {
    return true;
  }

  async put(place: BackupPlace, name: string, from: string): Promise<void> {
    this.files.set(`${describePlace(place)}/${name}`, await readFile(from));
  }

  async get(place: BackupPlace, name: string, to: string): Promise<boolean> {
    const bytes = this.files.get(`${describePlace(place)}/${name}`);
    if (bytes === undefined) return false;
    await writeFile(to, bytes);
    return true;
  }

  async remove(place: BackupPlace): Promise<void> {
    for (const path of [...this.files.keys()]) if (path.startsWith(`${describePlace(place)}/`)) this.files.delete(path);
  }

  async openWorkFolder(jobId: string): Promise<string> {
    await mkdir(join(this.#folder, jobId), { recursive: true });
    return join(this.#folder, jobId);
  }

  async clearWorkFolder(jobId: string): Promise<void> {
    await rm(join(this.#folder, jobId), { recursive: true, force: true });
  }

  seal(name: string, keys: Uint8Array): string {
    return `sealed ${name}\n${Buffer.from(keys).toString("base64")}`;
  }

  open(name: string, sealed: string): Uint8Array {
    const [label, keys = ""] = sealed.split("\n");
    if (label !== `sealed ${name}`) throw new Error("it does not open");
    return Buffer.from(keys, "base64");
  }
}
