import { HOST_KEY_TYPES, type ReachMachine, type ShownKey } from "../ports/reach-machine.ts";
import type { SshTarget } from "../ports/ssh-target.ts";

/**
 * The key by which a machine is to be known: the wanted one where it has it, of whatever type, otherwise the one that
 * it shows first. Whoever wants none takes what is shown.
 */
export async function meetHostKey(
  reach: Pick<ReachMachine, "fetchHostKey">,
  target: SshTarget,
  wanted: string | null,
): Promise<{ readonly shown: ShownKey; readonly isWanted: boolean }> {
  const first = await reach.fetchHostKey(target);
  if (wanted === null || first.fingerprint === wanted) return { shown: first, isWanted: true };
  for (const type of HOST_KEY_TYPES) {
    if (type === first.type) continue;
    const shown = await reach.fetchHostKey(target, type);
    if (shown.fingerprint === wanted) return { shown, isWanted: true };
  }
  return { shown: first, isWanted: false };
}
