import { beyondKept } from "../../../domain/backup.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import type { BackupRecord } from "../../../ports/store/index.ts";
import { sshPart } from "../declared.ts";
import type { SshHost } from "../host.ts";

/** Removes backups beyond as many as the spec keeps; without a number in the spec, none. */
export function pruneSshBackups(host: SshHost): Step {
  return {
    name: "prune-ssh-backups",
    precheck: async (context) => (await findSurplus(host, context)).length === 0,
    run: (context) => {
      const text = `Remove backups of ${context.cluster.name} beyond those that are kept`;
      return context.change(context.step.host, text, async () => {
        for (const { id, place } of await findSurplus(host, context)) {
          // The files first: what is listed no more would never be found again.
          await host.parts.archive.remove(place, context.signal);
          await context.backups.forget(id);
          context.log(`The backup ${id} is removed.`);
        }
      });
    },
  };
}

/** Those in a folder of another host stay until a worker there comes by. */
async function findSurplus(host: SshHost, { cluster, backups }: StepContext): Promise<readonly BackupRecord[]> {
  const keep = sshPart(cluster.spec).backup?.keep;
  if (keep === undefined) return [];
  return beyondKept(await backups.list(), keep).filter(({ place }) => host.parts.archive.reaches(place));
}
