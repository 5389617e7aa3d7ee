import { DroverError } from "@drover/contract";
import type { Module, StepUse, Task } from "../../domain/pipeline.ts";
import type { Json, RetryPolicy } from "../../domain/plan.ts";
import type { ChangeRequest, ProviderCluster } from "../../ports/provider.ts";
import { kindPart, nodeName } from "./declared.ts";
import { missingContainers } from "./look.ts";

/** The modules that take a kind cluster from what was seen to what its spec asks for. */
export function planKind(cluster: ProviderCluster, { kind, observed }: ChangeRequest): readonly Module[] {
  const seen = containersSeen(observed.body);
  // What was cut off while it was made, or lost everything that it knew, is made anew: nothing is lost by that.
  const isThere = observed.presence === "present" && observed.complete;
  switch (kind as string) {
    case "create":
    case "update":
    case "upgrade":
    case "repair":
      return isThere ? mend(cluster, seen) : [make(cluster), settle(cluster)];
    case "delete":
      return [remove()];
    case "hibernate":
      return [stop()];
    case "wake":
      return [start(), settle(cluster)];
    default:
      throw new DroverError("job-kind-unsupported", `A kind cluster knows no ${kind}.`, { details: { kind } });
  }
}

/** kind can neither add nor replace a node, and making the cluster anew would cost what is in the others. */
export function lostNodes(name: string, nodes?: readonly string[]): DroverError {
  const lost = nodes === undefined ? "Nodes" : nodes.join(", ");
  const next = "Save what you need, then delete the cluster and declare it again.";
  return new DroverError("change-forbidden", `${lost} of ${name} were removed, and kind cannot add nodes. ${next}`);
}

interface SeenContainer {
  readonly name: string;
  readonly state: string;
}

/** As `describeSighting` writes them. */
function containersSeen({ containers }: ChangeRequest["observed"]["body"]): readonly SeenContainer[] {
  return Array.isArray(containers) ? containers.filter(isContainer) : [];
}

const isContainer = (value: Json): value is Json & SeenContainer =>
  typeof value === "object" && value !== null && !Array.isArray(value) && "name" in value && "state" in value;

function mend(cluster: ProviderCluster, seen: readonly SeenContainer[]): readonly Module[] {
  const lost = missingContainers(cluster, seen);
  if (lost.length > 0) throw lostNodes(cluster.name, lost);
  const isStopped = seen.some(({ state }) => state !== "running");
  return [...(isStopped ? [start()] : []), settle(cluster)];
}

/** Making a cluster takes minutes; what fails twice in a row fails again. */
const MAKING: RetryPolicy = { attempts: 2, baseMs: 2_000, capMs: 2_000 };
/** A node image is a gigabyte, and may have to be pulled first. */
const MAKING_MS = 20 * 60_000;
const LOADING_MS = 15 * 60_000;
const WAITING_MS = 5 * 60_000;

function make({ name, spec }: ProviderCluster): Module {
  const { controlPlanes, workers } = kindPart(spec);
  const create: StepUse = {
    step: "create-kind-cluster",
    title: "Create the cluster",
    deadlineMs: MAKING_MS,
    retry: MAKING,
    changes: [
      `Creates the kind cluster ${name} with ${controlPlanes} control planes (${nodeName(name, "control-plane", 0)} …) and ${workers} workers, unless it is there`,
    ],
  };
  const network: StepUse = {
    step: "apply-kind-network",
    title: "Apply the pod network",
    changes: [`Applies ${spec.networking?.cni.manifest ?? "the pod network"}`],
  };
  const hasManifest = spec.networking?.cni.type === "manifest";
  return {
    title: "Make the cluster",
    tasks: [task("Cluster", create), ...(hasManifest ? [task("Network", network)] : [])],
  };
}

function start(): Module {
  const use = { step: "start-kind-nodes", title: "Start what is stopped", changes: ["Starts stopped containers"] };
  return { title: "Start the cluster", tasks: [task("Containers", use)] };
}

function stop(): Module {
  const changes = ["Stops all containers of the cluster; its data stays"];
  return {
    title: "Stop the cluster",
    tasks: [task("Containers", { step: "stop-kind-nodes", title: "Stop all containers", changes })],
  };
}

function remove(): Module {
  const changes = ["Removes all containers of the cluster with their volumes"];
  return {
    title: "Remove the cluster",
    tasks: [task("Containers", { step: "remove-kind-cluster", title: "Remove the cluster", changes })],
  };
}

/** What every cluster goes through after any change; most of it finds nothing to do. */
function settle({ spec }: ProviderCluster): Module {
  const { preloadImages = [] } = kindPart(spec);
  const load: StepUse = {
    step: "load-kind-images",
    title: "Load images into the nodes",
    deadlineMs: LOADING_MS,
    changes: [`Loads ${preloadImages.join(", ")} into every node that lacks them`],
  };
  return {
    title: "Settle the cluster",
    tasks: [
      ...(preloadImages.length === 0 ? [] : [task("Images", load)]),
      task("Nodes", { step: "wait-for-kind-nodes", title: "Wait for the nodes", deadlineMs: WAITING_MS }),
      task("Labels", { step: "label-kind-nodes", title: "Label the nodes", changes: ["Sets the declared labels"] }),
      task("Mark", { step: "complete-kind-cluster", title: "Mark the cluster as complete" }),
    ],
  };
}

const task = (title: string, use: StepUse): Task => ({ title, steps: [use] });
