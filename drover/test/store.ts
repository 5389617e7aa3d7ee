import type { Clock } from "../src/ports/clock.ts";
import type { Store } from "../src/ports/store/index.ts";
import { openStore } from "../src/store/open-store.ts";
import { masterKey } from "../src/store/secrets/key-ring.ts";
import { openRawDatabase } from "../src/store/sqlite/raw-database.ts";
import { createSqliteDatabase } from "./database.ts";

export const TEST_KEYS = { current: masterKey(Buffer.alloc(32, 7)), older: [] };

/** A real store on a new SQLite file, for tests of what stands on top of it. */
export async function openTestStore(
  options: { clock?: Clock } = {},
): Promise<{ store: Store; dispose(): Promise<void> }> {
  const database = createSqliteDatabase(openRawDatabase);
  const store = await openStore({ url: database.url, keys: TEST_KEYS, ...options });
  return {
    store,
    dispose: async () => {
      await store.close();
      await database.dispose();
    },
  };
}
