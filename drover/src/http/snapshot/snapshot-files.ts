import { dirname, join } from "node:path";
import type { Cluster } from "@drover/contract";
import { ENVIRONMENTS_HEADER } from "../../app/imports/environment-row.ts";
import { toTime } from "../present/time.ts";
import { DraftFile } from "./draft-file.ts";

/** A snapshot for people and scripts: as a JSON document, and beside it as environments.csv. */
export class SnapshotFiles {
  readonly #clusters: DraftFile;
  readonly #environments: DraftFile;
  #isEmpty = true;

  private constructor(clusters: DraftFile, environments: DraftFile) {
    this.#clusters = clusters;
    this.#environments = environments;
  }

  static async create(path: string, at: number): Promise<SnapshotFiles> {
    const clusters = await DraftFile.create(path);
    const environments = await DraftFile.create(join(dirname(path), "environments.csv")).catch(async (error) => {
      await clusters.discard();
      throw error;
    });
    const files = new SnapshotFiles(clusters, environments);
    await clusters.write(`{"time":${JSON.stringify(toTime(at))},"clusters":[`);
    await environments.write(ENVIRONMENTS_HEADER);
    return files;
  }

  async append(entries: readonly { readonly shown: Cluster; readonly line: string }[]): Promise<void> {
    if (entries.length === 0) return;
    const documents = entries.map(({ shown }) => JSON.stringify(shown)).join(",\n");
    await this.#clusters.write(`${this.#isEmpty ? "\n" : ",\n"}${documents}`);
    await this.#environments.write(entries.map(({ line }) => line).join(""));
    this.#isEmpty = false;
  }

  async finish(): Promise<void> {
    await this.#clusters.write("\n]}\n");
    await this.#clusters.finish();
    await this.#environments.finish();
  }

  /** Takes away what was not finished; after `finish` there is nothing left to do. */
  async discard(): Promise<void> {
    await this.#clusters.discard();
    await this.#environments.discard();
  }
}
