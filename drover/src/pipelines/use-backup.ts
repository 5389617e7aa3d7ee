import { type Pipeline, planSteps } from "../domain/pipeline.ts";
import { type Plan, planHash } from "../domain/plan.ts";
import { sha256 } from "../lib/sha256.ts";
import type { Provider, ProviderCluster } from "../ports/provider.ts";
import { upkeepOf } from "./look-after-cluster.ts";
import type { MadePlan } from "./make-plan.ts";
import { CHECK_THAT_IT_ANSWERS } from "./pipeline-request.ts";

export interface BackupUse {
  readonly action: "restore" | "drill";
  readonly backup: string;
}

/**
 * The plan of what is done with one backup. Like work on a node it does not depend on what is seen: a cluster that has
 * to be restored may show nothing. It tells the worker which backup is meant.
 */
export function planBackupUse(
  provider: Provider | undefined,
  cluster: ProviderCluster & { readonly specHash: string },
  { action, backup }: BackupUse,
): MadePlan {
  const upkeep = upkeepOf(provider, cluster);
  const pipeline: Pipeline =
    action === "drill"
      ? { name: "drill-backup", modules: upkeep.drill(cluster, backup) }
      : { name: "restore-cluster", modules: [...upkeep.restore(cluster, backup), CHECK_THAT_IT_ANSWERS] };
  const plan: Plan = {
    ...{ pipeline: pipeline.name, specHash: cluster.specHash, change: "nothing" },
    steps: planSteps(pipeline),
  };
  return { plan, hash: planHash(plan, sha256) };
}
