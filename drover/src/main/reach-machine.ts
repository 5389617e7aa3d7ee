import { fingerprintOf } from "../connectors/ssh/host-key.ts";
import type { SshPool } from "../connectors/ssh/ssh-pool.ts";
import type { ReachMachine } from "../ports/reach-machine.ts";

/** Enrolled machines by SSH. */
export function makeReach(pool: SshPool): ReachMachine {
  return {
    connect: (target, runAs) => pool.connect(target, runAs),
    fetchHostKey: async (target, type, signal) => {
      // Asked for first; a machine without such a key shows another.
      const key = await pool.fetchHostKey(type === undefined ? target : { ...target, keyTypes: [type] }, signal);
      return { fingerprint: fingerprintOf(key), type: key.type };
    },
  };
}
