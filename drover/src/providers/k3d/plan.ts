import { DroverError } from "@drover/contract";
import type { Module, StepUse, Task } from "../../domain/pipeline.ts";
import type { Json, RetryPolicy } from "../../domain/plan.ts";
import { quorumOf } from "../../domain/quorum.ts";
import type { ChangeRequest, ProviderCluster } from "../../ports/provider.ts";
import { type DeclaredNode, declaredNodes, k3dPart, nodeNames, parseNodeName, portTarget } from "./declared.ts";
import { missingNodes } from "./look.ts";

/** The modules that take a k3d cluster from what was seen to what its spec asks for. */
export function planK3d(cluster: ProviderCluster, { kind, observed }: ChangeRequest): readonly Module[] {
  const planner = new Planner(cluster, containersSeen(observed.body));
  // What was cut off while it was made, or lost everything that it knew, is made anew.
  const isThere = observed.presence === "present" && observed.complete;
  switch (kind as string) {
    case "create":
    case "update":
    case "repair":
      return isThere ? planner.reshape() : planner.make();
    case "delete":
      return [planner.remove()];
    case "hibernate":
      return [planner.stop()];
    case "wake":
      return [planner.start(), planner.settle()];
    default:
      throw new DroverError("job-kind-unsupported", `A k3d cluster knows no ${kind}.`, { details: { kind } });
  }
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

/** Making a cluster takes minutes; what fails twice in a row fails again. */
const MAKING: RetryPolicy = { attempts: 2, baseMs: 2_000, capMs: 2_000 };
/** Once, as the step itself looks again and again: what is not ready by then is told to people, and looked at anew. */
const WAITING: RetryPolicy = { attempts: 1, baseMs: 1_000, capMs: 1_000 };
const WAITING_MS = 3 * 60_000;
/** More than k3d's own patience, which holds for each of three stages: it has something to say when that is over. */
const MAKING_MS = 12 * 60_000;

class Planner {
  readonly #cluster: ProviderCluster;
  readonly #containers: readonly SeenContainer[];

  constructor(cluster: ProviderCluster, containers: readonly SeenContainer[]) {
    this.#cluster = cluster;
    this.#containers = containers;
  }

  make(): readonly Module[] {
    const { name, spec } = this.#cluster;
    const { servers, agents } = k3dPart(spec);
    const create: StepUse = {
      step: "create-k3d-cluster",
      title: "Create the cluster",
      deadlineMs: MAKING_MS,
      retry: MAKING,
      changes: [`Creates the k3d cluster ${name} with ${servers} servers and ${agents} agents, unless it is there`],
    };
    return [{ title: "Make the cluster", tasks: [task("Cluster", create)] }, this.settle()];
  }

  reshape(): readonly Module[] {
    const nodes = [...this.#surplus(), ...this.#missing()];
    return [
      ...(this.#containers.some(({ state }) => state !== "running") || this.#isReplacing() ? [this.start()] : []),
      ...(nodes.length === 0 ? [] : [{ title: "Change the nodes", tasks: nodes }]),
      ...this.#ports(),
      this.settle(),
    ];
  }

  start(): Module {
    const use = {
      step: "start-k3d-containers",
      title: "Start what is stopped",
      changes: ["Starts stopped containers"],
    };
    return { title: "Start the cluster", tasks: [task("Containers", use)] };
  }

  stop(): Module {
    const changes = ["Stops all containers of the cluster; its data stays"];
    const use = { step: "stop-k3d-containers", title: "Stop all containers", changes };
    return { title: "Stop the cluster", tasks: [task("Containers", use)] };
  }

  remove(): Module {
    const changes = ["Removes all containers of the cluster, its network and its volumes"];
    const use = { step: "remove-k3d-cluster", title: "Remove the cluster", changes };
    return { title: "Remove the cluster", tasks: [task("Containers", use)] };
  }

  /** What every cluster goes through after any change; most of it finds nothing to do. */
  settle(): Module {
    const { preloadImages = [], loadBalancer } = k3dPart(this.#cluster.spec);
    const update: StepUse = {
      step: "update-k3d-load-balancer",
      title: "Update the load balancer",
      changes: ["Tells the load balancer which nodes there are"],
    };
    const load: StepUse = {
      step: "load-k3d-images",
      title: "Load images into the nodes",
      changes: [`Loads ${preloadImages.join(", ")} into every node that lacks them`],
    };
    return {
      title: "Settle the cluster",
      tasks: [
        ...(loadBalancer ? [task("Load balancer", update)] : []),
        ...(preloadImages.length === 0 ? [] : [task("Images", load)]),
        task("Nodes", {
          step: "wait-for-k3d-nodes",
          title: "Wait for the nodes",
          deadlineMs: WAITING_MS,
          retry: WAITING,
        }),
        task("Labels", { step: "label-k3d-nodes", title: "Label the nodes", changes: ["Sets the declared labels"] }),
        task("Mark", { step: "complete-k3d-cluster", title: "Mark the cluster as complete" }),
      ],
    };
  }

  #nodes(): readonly (DeclaredNode & { readonly name: string })[] {
    return this.#containers.flatMap(({ name }) => {
      const node = parseNodeName(this.#cluster.name, name);
      return node === null ? [] : [{ ...node, name }];
    });
  }

  #isReplacing(): boolean {
    return this.#containers.filter(({ name }) => name.includes("-serverlb")).length > 1;
  }

  #surplus(): readonly Task[] {
    const { name, spec } = this.#cluster;
    const wanted = new Set(declaredNodes(spec).map((node) => nodeNames(name, node)[0]));
    return this.#nodes()
      .filter((node) => node.role === "agent" && !wanted.delete(nodeNames(name, node)[0]))
      .map((node) =>
        task(`Agent ${node.name}`, {
          step: "remove-k3d-node",
          title: `Remove ${node.name}`,
          input: { node: node.name },
          changes: [`Drains and removes the agent ${node.name}`],
        }),
      );
  }

  #missing(): readonly Task[] {
    const { name, spec } = this.#cluster;
    const declared = declaredNodes(spec);
    const missing = missingNodes(declared, this.#nodes());
    this.#assertServersCanCome(missing.filter(({ role }) => role === "server"));
    return missing.map(({ role, index }) =>
      task(`Node ${role} ${index}`, {
        step: "add-k3d-node",
        title: `Add ${nodeNames(name, { role, index })[1]}`,
        deadlineMs: MAKING_MS,
        retry: MAKING,
        input: { role, index },
        changes: [`Adds the ${role} ${nodeNames(name, { role, index })[1]}`],
      }),
    );
  }

  /** Others join by the first server, and only a majority of them can let anybody in. */
  #assertServersCanCome(missing: readonly DeclaredNode[]): void {
    const { name, spec } = this.#cluster;
    const { servers } = k3dPart(spec);
    if (missing.length === 0) return;
    const hasFirst = missing.every(({ index }) => index !== 0);
    if (hasFirst && servers - missing.length >= quorumOf(servers)) return;
    const lost = missing.map((node) => nodeNames(name, node)[0]).join(", ");
    throw new DroverError(
      "change-forbidden",
      `The servers ${lost} of ${name} are lost, and the others cannot take new ones in. Save what you need, then delete and declare the cluster again.`,
    );
  }

  #ports(): readonly Module[] {
    const { spec } = this.#cluster;
    const ports = (spec.networking?.ports ?? []).filter((port) => portTarget(spec, port) === "loadbalancer");
    if (ports.length === 0) return [];
    const names = ports.map(({ containerPort, protocol }) => `${containerPort}/${protocol}`).join(", ");
    const use: StepUse = {
      step: "add-k3d-ports",
      title: "Publish ports",
      retry: MAKING,
      changes: [`Publishes ${names} through the load balancer where that is not so yet; it restarts`],
    };
    return [{ title: "Publish ports", tasks: [task("Load balancer", use)] }];
  }
}

const task = (title: string, use: StepUse): Task => ({ title, steps: [use] });
