import type { ClusterSpec } from "@drover/contract";
import type { Actor, Store } from "../../../drover/src/ports/store/index.ts";
import { openStore } from "../../../drover/src/store/open-store.ts";
import { masterKey } from "../../../drover/src/store/secrets/key-ring.ts";

const keys = { current: masterKey(Buffer.alloc(32, 7)), older: [] };

/** Every process opens the store as a program of its own would: same key, same defaults. */
export const openSharedStore = (url: string): Promise<Store> => openStore({ url, keys });

export const actor: Actor = { type: "user", name: "ada" };

/** A spec that differs from any other one with another number. */
export const specOf = (seed: number): ClusterSpec =>
  ({ provider: "simulated", desiredState: "present", simulated: { seed } }) as ClusterSpec;
