import { statSync } from "node:fs";
import type { Options, StoreAddress } from "../config/options.ts";
import type { Store } from "../ports/store/index.ts";
import { openStore } from "../store/open-store.ts";
import { loadMasterKey } from "../store/secrets/key-ring.ts";

export const storeUrl = (store: StoreAddress): string => (store.kind === "postgres" ? store.url : store.file);

/** Opens the store that the options name, with the master key beside it. */
export async function openStoreFor({ store, masterKeyFile }: Pick<Options, "store" | "masterKeyFile">): Promise<Store> {
  const current = loadMasterKey(masterKeyFile, { create: mayBeNew(store) });
  return await openStore({ url: storeUrl(store), keys: { current, older: [] } });
}

/**
 * A key is made only where no store can exist that needs an older one. Whether a PostgreSQL database is new is known
 * after opening it; there a new key that does not fit is refused by the store itself.
 */
function mayBeNew(store: StoreAddress): boolean {
  if (store.kind === "postgres") return true;
  return (statSync(store.file, { throwIfNoEntry: false })?.size ?? 0) === 0;
}
