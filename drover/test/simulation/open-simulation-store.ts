import crypto from "node:crypto";
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "../../src/ports/store/index.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { LifeSigns } from "../../src/store/session.ts";
import { openRawDatabase } from "../../src/store/sqlite/raw-database.ts";
import { TEST_KEYS } from "../store.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { SimulationTime } from "./simulation-time.ts";

const MEMORY = "/dev/shm";

/** A folder for the files of many simulations, with a store that is already migrated, to copy from. */
export class StoreNursery {
  readonly #folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), "drover-simulation-"));
  readonly #template = join(this.#folder, "template.db");
  #stores = 0;

  /** To be called before anything is drawn by a seed: the first store of all draws more than the others. */
  async prepare(): Promise<void> {
    if (!existsSync(this.#template)) await makeTemplate(this.#template);
  }

  async open(time: SimulationTime, life: LifeSigns): Promise<{ store: Store; query: Query; dispose(): Promise<void> }> {
    this.#stores += 1;
    const file = join(this.#folder, `${this.#stores}.db`);
    copyFileSync(this.#template, file);
    const store = await openStore({ url: file, keys: TEST_KEYS, clock: time, life });
    const raw = openRawDatabase(file);
    return {
      store,
      query: (sql) => raw.all(sql, []),
      dispose: async () => {
        raw.close();
        await store.close();
        for (const ending of ["", "-wal", "-shm"]) rmSync(`${file}${ending}`, { force: true });
      },
    };
  }

  dispose(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export type Query = (sql: string) => readonly Record<string, unknown>[];

/** The offset of a cluster's looks is left to chance by the schema; here it follows from its name and order. */
async function makeTemplate(file: string): Promise<void> {
  await (await openStore({ url: file, keys: TEST_KEYS })).close();
  const raw = openRawDatabase(file);
  raw.exec(`create trigger simulation_jitter after insert on looks begin
    update looks set jitter = (select count(*) * 7919 from clusters) where cluster_id = new.cluster_id;
  end`);
  raw.exec("pragma wal_checkpoint(truncate)");
  raw.close();
}

/** Has ids and tokens follow from the seed while the work goes on: they decide orders. */
export async function withSeededIds<T>(random: SeededRandom, work: () => Promise<T>): Promise<T> {
  const { randomBytes, randomInt } = crypto;
  crypto.randomBytes = ((count: number) => random.bytes(count)) as typeof crypto.randomBytes;
  crypto.randomInt = ((least: number, most: number) => random.between(least, most - 1)) as typeof crypto.randomInt;
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    Object.assign(crypto, { randomBytes, randomInt });
    syncBuiltinESMExports();
  }
}
