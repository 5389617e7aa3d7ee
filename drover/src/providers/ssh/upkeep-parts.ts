import type { Module, StepUse, Task } from "../../domain/pipeline.ts";
import type { RetryPolicy } from "../../domain/plan.ts";
import { GATE_MS, local, WAITING } from "./plan-parts.ts";

export const BACKUP_MS = 30 * 60_000;
export const RESTORE_MS = 15 * 60_000;
export const RENEW_MS = 20 * 60_000;
/** What stops and starts a control plane has waited for minutes when it fails. */
export const TWICE: RetryPolicy = { attempts: 2, baseMs: 2_000, capMs: 2_000 };

/** Nothing goes on before everything is well. */
export const gate = (title: string, what: string): Task =>
  local(title, { step: "wait-for-ssh-nodes", title: what, deadlineMs: GATE_MS, retry: WAITING });

/** The step takes a backup in the way of its distribution. */
export function planBackup(name: string, step: string): readonly Module[] {
  const take: StepUse = {
    ...{ step, title: "Take a backup", deadlineMs: BACKUP_MS },
    changes: [`Takes a snapshot of the database of ${name}, and keeps it at its destination`],
  };
  const prune: StepUse = {
    ...{ step: "prune-ssh-backups", title: "Remove old backups", deadlineMs: BACKUP_MS },
    changes: ["Removes the oldest backups beyond those that are kept"],
  };
  return [{ title: "Back up", tasks: [local("Backup", take), local("Old backups", prune)] }];
}

/** The step proves a backup in the way of its distribution. */
export function planDrill(name: string, step: string, backup: string): readonly Module[] {
  const use: StepUse = {
    ...{ step, title: "Prove the backup", input: { backup }, deadlineMs: BACKUP_MS, retry: TWICE },
    changes: [`Starts the backup beside ${name} on a control plane, compares, and removes it again`],
  };
  return [{ title: "Drill", tasks: [local("Drill", use)] }];
}
