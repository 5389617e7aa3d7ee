import { DroverError, type JobKind } from "@drover/contract";
import { buildGraph, describeGraphProblem } from "../domain/graph.ts";
import { type Pipeline, planSteps } from "../domain/pipeline.ts";
import { type ChangeClass, type Plan, planHash } from "../domain/plan.ts";
import { sha256 } from "../lib/sha256.ts";
import { createCluster } from "./create-cluster.ts";
import { deleteCluster } from "./delete-cluster.ts";
import { hibernateCluster } from "./hibernate-cluster.ts";
import { importCluster } from "./import-cluster.ts";
import { backUpCluster, renewCertificates } from "./look-after-cluster.ts";
import type { PipelineRequest } from "./pipeline-request.ts";
import { recreateCluster } from "./recreate-cluster.ts";
import { repairCluster } from "./repair-cluster.ts";
import { updateCluster } from "./update-cluster.ts";
import { upgradeCluster } from "./upgrade-cluster.ts";
import { wakeCluster } from "./wake-cluster.ts";

export interface PlanRequest extends PipelineRequest {
  readonly kind: JobKind;
  readonly specHash: string;
  /** How far the change of the spec reaches; `nothing` where the spec stays and only reality is to follow. */
  readonly change: ChangeClass;
  /** Somebody was shown what will be destroyed and wants it. */
  readonly consent?: boolean;
}

export interface MadePlan {
  readonly plan: Plan;
  readonly hash: string;
}

type MakePipeline = (request: PipelineRequest) => Pipeline;

const PIPELINES: Readonly<Partial<Record<JobKind, MakePipeline>>> = {
  create: createCluster,
  update: updateCluster,
  upgrade: upgradeCluster,
  delete: deleteCluster,
  repair: repairCluster,
  import: importCluster,
  hibernate: hibernateCluster,
  wake: wakeCluster,
  backup: backUpCluster,
  renew: renewCertificates,
};

/** Changes of a spec can ask for the end of the old cluster; creating, deleting and importing have no old one to lose. */
const MAY_RECREATE: ReadonlySet<JobKind> = new Set<JobKind>(["update", "upgrade", "repair"]);

export const hasPipeline = (kind: JobKind): boolean => PIPELINES[kind] !== undefined;

/**
 * The one place where plans are made, for showing and for running: the same request gives the same plan and hash.
 * Refuses, with the reason as a code: `cluster-unseen` when nobody could look, `consent-required` when something would
 * be destroyed that nobody agreed to, `change-forbidden` and `job-kind-unsupported` when there is no way.
 */
export function makePlan(request: PlanRequest): MadePlan {
  const { cluster, specHash, change } = request;
  if (request.observed.presence === "unknown") {
    const message = `No plan is made for ${cluster.name} while it cannot be seen: ${request.observed.message}`;
    throw new DroverError("cluster-unseen", message);
  }
  if (change === "forbidden") {
    throw new DroverError("change-forbidden", `The change of ${cluster.name} cannot be brought about.`);
  }
  const pipeline = choosePipeline(request)(request);
  const steps = planSteps(pipeline);
  const graph = buildGraph(steps);
  if (!graph.ok) {
    const problems = graph.problems.map(describeGraphProblem).join(" ");
    throw new DroverError("plan-invalid", `The pipeline ${pipeline.name} makes no graph: ${problems}`);
  }
  const plan: Plan = { pipeline: pipeline.name, specHash, change, steps };
  return { plan, hash: planHash(plan, sha256) };
}

function choosePipeline({ kind, change, consent, cluster, observed }: PlanRequest): MakePipeline {
  if (change === "recreate" && MAY_RECREATE.has(kind) && observed.presence === "present") {
    if (consent === true) return recreateCluster;
    throw new DroverError(
      "consent-required",
      `The change of ${cluster.name} removes the cluster with all that is in it and makes a new one.`,
    );
  }
  // What was lost while it slept, or was never finished, does not come up by being started.
  if (kind === "wake" && !(observed.presence === "present" && observed.complete)) return repairCluster;
  const pipeline = PIPELINES[kind];
  if (pipeline !== undefined) return pipeline;
  throw new DroverError("job-kind-unsupported", `There is no pipeline for a ${kind} of ${cluster.name}.`);
}
