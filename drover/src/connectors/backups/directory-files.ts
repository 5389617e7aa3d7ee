import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DroverError } from "@drover/contract";
import type { BackupFiles } from "./parts.ts";

/** The files of one backup in a folder of this host, for its owner alone. */
export class DirectoryFiles implements BackupFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async put(name: string, from: string): Promise<void> {
    await this.#attempt(async () => {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await copyWhole(from, join(this.#folder, name));
    });
  }

  async get(name: string, to: string): Promise<boolean> {
    return await this.#attempt(async () => {
      try {
        await copyWhole(join(this.#folder, name), to);
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
        throw error;
      }
    });
  }

  async remove(): Promise<void> {
    await this.#attempt(async () => {
      await rm(join(this.#folder, "manifest.json"), { force: true });
      await rm(this.#folder, { recursive: true, force: true });
    });
  }

  async #attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new DroverError("backup-store-refused", `The folder ${this.#folder}: ${why}`, { cause: error });
    }
  }
}

/** Beside its name, made durable, and renamed: whoever reads finds the whole file or none. */
export async function copyWhole(from: string, to: string): Promise<void> {
  const temporary = `${to}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await copyFile(from, temporary, constants.COPYFILE_EXCL);
    await sync(temporary);
    await rename(temporary, to);
    await sync(dirname(to));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
