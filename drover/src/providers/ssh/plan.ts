import { DroverError } from "@drover/contract";
import type { Module, StepUse, Task } from "../../domain/pipeline.ts";
import type { ChangeRequest, ProviderCluster } from "../../ports/provider.ts";
import { controlPlanesOf, type DeclaredNode, firstControlPlane, isK3s, sshPart, workersOf } from "./declared.ts";
import { hasOwnEndpoint } from "./endpoint.ts";
import { planDatabase, planEndpoints } from "./etcd/plan-etcd.ts";
import { equipWithK3s, growWithK3s } from "./k3s/plan-k3s.ts";
import { chooseEncryption, finishEncryption } from "./plan-encryption.ts";
import { BRINGING_MS, carefully, JOINING_MS, kubeVipTasks, local, MAKING, onEach, WAITING } from "./plan-parts.ts";
import { planUpgrade } from "./plan-upgrade.ts";
import { machinesSeen, type SeenMachine } from "./seen-machines.ts";

/** The modules that take a cluster on machines from what was seen to what its spec asks for. */
export function planSsh(cluster: ProviderCluster, { kind, observed }: ChangeRequest): readonly Module[] {
  const machines = machinesSeen(observed.body);
  switch (kind as string) {
    case "create":
    case "update":
    case "upgrade":
    case "repair":
      return [
        ...planUpgrade(cluster, observed),
        takeMachines(cluster),
        ...(isK3s(cluster.spec)
          ? [
              equipWithK3s(cluster.spec),
              growWithK3s(
                cluster.spec,
                founderOf(cluster, machines),
                controlPlanesOf(cluster.spec).filter(isMemberAmong(machines)),
              ),
            ]
          : [
              equip(cluster, machines),
              ...planDatabase(cluster.spec, machines),
              ...chooseEncryption(cluster.spec, machines),
              grow(cluster, machines),
              ...planEndpoints(cluster.spec, machines),
            ]),
        ...dismiss(machines),
        ...finishEncryption(cluster.spec, machines),
        settle(cluster),
      ];
    case "delete":
      return [remove(machines)];
    default:
      throw new DroverError("job-kind-unsupported", `A cluster on machines knows no ${kind}.`, { details: { kind } });
  }
}

const WAITING_MS = 5 * 60_000;
const RELEASING_MS = 10 * 60_000;
/** Emptying has its own patience, which the spec may lengthen. */
const LEAVING_MS = 60 * 60_000;

function takeMachines({ name, spec }: ProviderCluster): Module {
  const { nodes } = sshPart(spec);
  const machines: StepUse = { step: "check-ssh-machines", title: "Check the machines" };
  const artifacts: StepUse = {
    ...{ step: "check-ssh-artifacts", title: "Check the artifacts", deadlineMs: BRINGING_MS },
  };
  return {
    title: "Take the machines",
    tasks: [
      { title: "Check", steps: [machines] },
      // By what the machines turned out to have.
      { title: "Artifacts", steps: [artifacts] },
      onEach("Claim", nodes, (node) => ({
        step: "claim-ssh-machine",
        title: `Claim ${node}`,
        changes: [`Marks ${node} as a machine of ${name}, and notes there how it was found`],
      })),
    ],
  };
}

const MEMBER: readonly string[] = ["member", "complete"];

const isMemberAmong =
  (machines: readonly SeenMachine[]) =>
  ({ name }: DeclaredNode): boolean =>
    machines.some(({ declared, node, stage }) => declared && node === name && MEMBER.includes(stage));

function equip({ spec }: ProviderCluster, machines: readonly SeenMachine[]): Module {
  const { nodes, containerd, preloadImages, upgrade } = sshPart(spec);
  const isMember = isMemberAmong(machines);
  const version = spec.kubernetes?.version ?? "";
  return {
    title: "Equip the machines",
    tasks: [
      ...(containerd.install ? [runtimeTask(nodes)] : []),
      ...carefully("Settings", nodes, { isMember, waveSize: upgrade.waveSize }, (node) => ({
        step: "prepare-ssh-machine",
        title: `Prepare ${node}`,
        changes: [`Sets up kernel, containerd and kubelet on ${node}`],
      })),
      onEach("Artifacts", nodes, (node) => ({
        step: "bring-ssh-artifacts",
        title: `Bring artifacts to ${node}`,
        deadlineMs: BRINGING_MS,
        changes: [`Brings programs and images of Kubernetes ${version} to ${node}`],
      })),
      ...((preloadImages ?? []).length === 0 ? [] : [preloadTask(nodes)]),
      ...(hasOwnEndpoint(spec) ? [endpointTask(spec)] : []),
    ],
  };
}

const runtimeTask = (nodes: readonly DeclaredNode[]): Task =>
  onEach("Container runtime", nodes, (node) => ({
    step: "install-ssh-containerd",
    title: `Install containerd on ${node}`,
    changes: [`Installs containerd on ${node}, unless it is there`],
  }));

const preloadTask = (nodes: readonly DeclaredNode[]): Task =>
  onEach("Images", nodes, (node) => ({
    step: "preload-ssh-images",
    title: `Load images onto ${node}`,
    deadlineMs: BRINGING_MS,
    changes: [`Loads the images of spec.ssh.preloadImages onto ${node}`],
  }));

const endpointTask = (spec: ProviderCluster["spec"]): Task =>
  onEach("Endpoint", controlPlanesOf(spec), (node) => ({
    step: "prepare-ssh-endpoint",
    title: `Set up the endpoint on ${node}`,
    changes: [`Has HAProxy on ${node} lead to all API servers, and keepalived share their address`],
  }));

/** A cluster begins on one machine, once: where a control plane is left, or may be, the others join it. */
function founderOf({ spec }: ProviderCluster, machines: readonly SeenMachine[]): DeclaredNode {
  const isAt = (...stages: readonly string[]) =>
    controlPlanesOf(spec).find(({ name }) =>
      machines.some(({ declared, node, stage }) => declared && node === name && stages.includes(stage)),
    );
  return isAt(...MEMBER) ?? isAt("unreachable") ?? firstControlPlane(spec);
}

function grow(cluster: ProviderCluster, machines: readonly SeenMachine[]): Module {
  const { spec } = cluster;
  const first = founderOf(cluster, machines);
  const others = controlPlanesOf(spec).filter(({ name }) => name !== first.name);
  const join = (node: string): Omit<StepUse, "host"> => ({
    step: "join-ssh-node",
    title: `Join ${node}`,
    deadlineMs: JOINING_MS,
    retry: MAKING,
    changes: [`Joins ${node}, unless it is a node already`],
  });
  const network: StepUse = {
    step: "apply-ssh-network",
    title: "Apply the pod network",
    host: first.name,
    changes: ["Applies the pod network"],
  };
  return {
    title: "Make the cluster",
    tasks: [
      onEach("First control plane", [first], (node) => ({
        step: "init-ssh-control-plane",
        title: `Start ${node}`,
        deadlineMs: JOINING_MS,
        retry: MAKING,
        changes: [`Starts the first control plane on ${node}, unless it is there`],
      })),
      ...kubeVipTasks(spec, [first]),
      ...(spec.networking?.cni.type === "none" ? [] : [{ title: "Pod network", steps: [network] }]),
      ...others.flatMap((node) => [onEach(`Control plane ${node.name}`, [node], join), ...kubeVipTasks(spec, [node])]),
      onEach("Workers", workersOf(spec), join),
      // One after the other: while one is set up, the others answer.
      ...controlPlanesOf(spec).map((node) =>
        onEach(`API server of ${node.name}`, [node], (name) => ({
          step: "configure-ssh-control-plane",
          title: `Set up the API server of ${name}`,
          deadlineMs: JOINING_MS,
          changes: [`Sets up the API server of ${name} as declared, unless it is so`],
        })),
      ),
    ],
  };
}

function settle({ spec }: ProviderCluster): Module {
  const { nodes } = sshPart(spec);
  return {
    title: "Settle the cluster",
    tasks: [
      local("Nodes", {
        ...{ step: "wait-for-ssh-nodes", title: "Wait for the nodes" },
        ...{ deadlineMs: WAITING_MS, retry: WAITING },
      }),
      local("Labels", {
        step: "label-ssh-nodes",
        title: "Label the nodes",
        changes: ["Sets the declared labels and taints"],
      }),
      onEach("Marks", nodes, (node) => ({ step: "complete-ssh-machine", title: `Mark ${node} as complete` })),
    ],
  };
}

/** Machines that the spec names no more. */
function dismiss(machines: readonly SeenMachine[]): readonly Module[] {
  const surplus = machines.filter(({ declared }) => !declared);
  if (surplus.length === 0) return [];
  // One after the other, so that pods have somewhere to go, and the database its majority.
  const leave = (machine: SeenMachine): Task => ({ title: `Node ${machine.node}`, steps: [dismissal(machine)] });
  return [{ title: "Let nodes go", tasks: surplus.map(leave) }];
}

function dismissal({ host, node }: SeenMachine): StepUse {
  return {
    step: "remove-ssh-node",
    title: `Remove ${node}`,
    host,
    input: { node },
    deadlineMs: LEAVING_MS,
    changes: [`Drains ${node}, takes it out of the cluster, and leaves the machine as it was found`],
  };
}

function remove(machines: readonly SeenMachine[]): Module {
  return { title: "Give the machines back", tasks: [{ title: "Machines", steps: machines.map(release) }] };
}

function release({ host, node }: SeenMachine): StepUse {
  return {
    step: "release-ssh-machine",
    title: `Release ${node}`,
    host,
    deadlineMs: RELEASING_MS,
    changes: [`Takes Kubernetes off ${node}, and leaves the machine as it was found`],
  };
}
