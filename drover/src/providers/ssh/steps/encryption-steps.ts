import { DroverError } from "@drover/contract";
import { readTarFile } from "../../../lib/read-tar.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { backupOfStep, fetchBackup, openKeys } from "../backup-files.ts";
import { controlPlanesOf, encryptsSecrets } from "../declared.ts";
import { readConfiguration } from "../encryption/configuration.ts";
import { keepRing, makeKey, readRing } from "../encryption/kept-ring.ts";
import {
  aimAtKey,
  aimAtKnown,
  beginWith,
  isInUse,
  type KeyRing,
  lead,
  PLAIN,
  readAlso,
  settle,
} from "../encryption/key-ring.ts";
import type { SshHost } from "../host.ts";
import { ENCRYPTION_FILE } from "../machine-paths.ts";
import { assertAllTold } from "./configure-ssh-control-plane.ts";

/** The steps that move the ring of keys. What API servers have follows in steps of their own, one after the other. */
export function encryptionSteps(host: SshHost): readonly Step[] {
  return [
    ringStep("choose-ssh-encryption", "Choose what Secrets are to be written with", (ring, context) =>
      choose(host, context, ring),
    ),
    ringStep("rotate-ssh-encryption", "Make a new key, which nobody writes with yet", rotate),
    ringStep(
      "lead-ssh-encryption",
      "Have what was chosen write from now on",
      async (ring) => lead(ring),
      assertAllTold,
    ),
    ringStep("settle-ssh-encryption", "Drop what nothing is written with any more", async (ring) => settle(ring)),
    ringStep("adopt-ssh-backup-keys", "Have the keys of the backup read", (ring, context) =>
      adopt(host, context, ring),
    ),
  ];
}

/** A move of the ring. Once made it is none any more, so whoever comes by again goes on from there. */
function ringStep(
  name: string,
  text: string,
  move: (ring: KeyRing, context: StepContext) => Promise<KeyRing>,
  assertMayMove: (context: StepContext) => Promise<void> = async () => {},
): Step {
  return {
    name,
    light: true,
    precheck: async (context) => {
      const ring = await readRing(context);
      return (await move(ring, context)) === ring;
    },
    run: (context) =>
      context.change(context.step.host, text, async () => {
        await assertMayMove(context);
        await keepRing(context, await move(await readRing(context), context));
      }),
  };
}

/** What the spec asks for. A change that is under way to the other side turns round. */
async function choose(host: SshHost, context: StepContext, ring: KeyRing): Promise<KeyRing> {
  if (!encryptsSecrets(context.cluster.spec)) return aimAtKnown(ring, PLAIN);
  if (!isInUse(ring)) {
    const key = makeKey(context);
    return (await isEmpty(host, context)) ? beginWith(ring, key) : aimAtKey(ring, key);
  }
  const leads = ring.target ?? ring.order[0];
  const [known] = ring.keys.slice(-1);
  return leads === PLAIN && known !== undefined ? aimAtKnown(ring, known.name) : ring;
}

/** Whether nothing can have been written yet. Of a control plane that does not answer nobody knows. */
async function isEmpty(host: SshHost, { cluster, signal }: StepContext): Promise<boolean> {
  const names = controlPlanesOf(cluster.spec).map(({ name }) => name);
  const seen = await host.seeAll(cluster, names, signal);
  return seen.every(
    (one) => "look" in one && (one.look.mark?.clusterId !== cluster.id || one.look.mark.stage === "claimed"),
  );
}

/** A key that was made for a rotation and has written nothing is as good as a new one. */
async function rotate(ring: KeyRing, context: StepContext): Promise<KeyRing> {
  if (ring.rotatedBy === context.job.id) return ring;
  const { target } = ring;
  const isUnused = target !== null && target !== PLAIN && ring.order[0] !== target;
  return { ...(isUnused ? ring : aimAtKey(ring, makeKey(context))), rotatedBy: context.job.id };
}

async function adopt(host: SshHost, context: StepContext, ring: KeyRing): Promise<KeyRing> {
  const backup = await backupOfStep(context);
  // One without keys is not opened: it is of use without the master key of its time.
  if (backup.manifest.encryptedWith === undefined) return readAlso(ring, [], []);
  const folder = await fetchBackup(host, context, backup);
  const file = readTarFile(await openKeys(host, folder, backup), ENCRYPTION_FILE);
  const { order, keys } = readConfiguration(file?.toString() ?? "");
  const missing = backup.manifest.encryptedWith.filter((name) => !order.includes(name));
  if (missing.length > 0) {
    throw new DroverError("backup-damaged", `The backup ${backup.id} lacks the keys ${missing.join(", ")}.`);
  }
  for (const { secret } of keys) context.mask(secret);
  return readAlso(ring, order, keys);
}
