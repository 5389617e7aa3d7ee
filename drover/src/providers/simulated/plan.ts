import { DroverError } from "@drover/contract";
import { formatKubernetesVersion, parseKubernetesVersion } from "../../domain/kubernetes-version.ts";
import type { Module, StepUse } from "../../domain/pipeline.ts";
import type { Json, JsonObject } from "../../domain/plan.ts";
import { upgradePath } from "../../domain/version-skew.ts";
import type { ChangeRequest, ProviderCluster } from "../../ports/provider.ts";
import { DEFAULT_VERSION, type DeclaredNode, declaredNodes, settingsOf, simulatedPart } from "./declared.ts";
import type { NodeRole } from "./ledger.ts";
import { isOlder, lowestVersion } from "./look.ts";

/** How many workers are upgraded side by side. */
const WAVE = 3;

/** How much longer than its longest latency a step may take. What hangs is noticed while people still watch. */
const SLACK_MS = 10_000;

/** The modules that take a simulated cluster from what was seen to what its spec asks for. */
export function planSimulated(cluster: ProviderCluster, { kind, observed }: ChangeRequest): readonly Module[] {
  const seen = nodesSeen(observed.body);
  const modules = chooseModules(cluster, kind, seen, observed.stopped === true);
  return modules.map((module) => ({
    ...module,
    tasks: module.tasks.map((task) => ({
      ...task,
      steps: task.steps.map((use) => ({ ...use, deadlineMs: deadlineMs(cluster, use, seen) })),
    })),
  }));
}

function chooseModules(
  cluster: ProviderCluster,
  kind: ChangeRequest["kind"],
  seen: SeenNodes,
  stopped: boolean,
): readonly Module[] {
  const awake = stopped ? [start()] : [];
  switch (kind) {
    case "create":
      // Every node, also those that were seen: what a cut-off creation left is taken over by the same steps.
      return [takeCharge(), ...awake, ...reuse(cluster, seen), ...bringAbout(cluster, new Map())];
    case "update":
    case "upgrade":
    case "repair":
      return [takeCharge(), ...awake, ...upgrade(cluster, seen), ...bringAbout(cluster, seen)];
    case "hibernate":
      return [takeCharge(), stop()];
    case "wake":
      return [takeCharge(), start()];
    case "delete":
      return [takeCharge(), remove("Remove the cluster")];
    case "import":
      return [takeCharge(), adopt()];
    default:
      throw new DroverError("job-kind-unsupported", `A simulated cluster knows no ${kind}.`, { details: { kind } });
  }
}

function deadlineMs({ name, spec }: ProviderCluster, { step }: StepUse, seen: SeenNodes): number {
  const calls = step === "remove-simulated-nodes" ? declaredNodes(name, spec).length + seen.size : 1;
  return calls * simulatedPart(spec).latency.maximumMs + SLACK_MS;
}

/** What is left of a creation is of use when it is not newer than what is wanted now; otherwise it goes first. */
function reuse(cluster: ProviderCluster, seen: SeenNodes): readonly Module[] {
  const target = cluster.spec.kubernetes?.version;
  const tooNew = target !== undefined && [...seen.values()].some((version) => isOlder(target, version));
  return tooNew ? [remove("Clear away what was begun")] : upgrade(cluster, seen);
}

type SeenNodes = ReadonlyMap<string, string>;

/** Names and versions, as `lookAt` writes them. */
function nodesSeen(body: ChangeRequest["observed"]["body"]): SeenNodes {
  const { nodes } = body;
  if (!Array.isArray(nodes)) return new Map();
  return new Map(nodes.flatMap((node: Json) => (isNamed(node) ? [[node.name, node.version]] : [])));
}

const isNamed = (node: Json): node is { name: string; version: string } =>
  typeof node === "object" &&
  node !== null &&
  !Array.isArray(node) &&
  ["name", "version"].every((key) => typeof (node as JsonObject)[key] === "string");

function takeCharge(): Module {
  const use: StepUse = { step: "shut-out-older-workers", title: "Shut out older workers" };
  return { title: "Take charge", tasks: [{ title: "Fence", steps: [use] }] };
}

function bringAbout(cluster: ProviderCluster, seen: SeenNodes): readonly Module[] {
  const { name, spec } = cluster;
  const declared = declaredNodes(name, spec);
  const version = spec.kubernetes?.version ?? lowestSeen(seen) ?? DEFAULT_VERSION;
  const missing = declared.filter((node) => !seen.has(node.name));
  const startAll = (role: NodeRole): readonly StepUse[] =>
    missing.filter((node) => node.role === role).map((node) => startNode(node, version));
  return [
    {
      title: "Make the cluster",
      tasks: [
        {
          title: "Cluster",
          steps: [
            {
              step: "create-simulated-cluster",
              title: "Create the cluster",
              changes: [`Creates the simulated cluster ${name}, unless it is there`],
            },
          ],
        },
        ...startAll("control-plane").map((use) => ({ title: "Control plane", steps: [use] })),
        { title: "Workers", steps: startAll("worker") },
      ],
    },
    {
      title: "Settle the cluster",
      tasks: [
        { title: "Nodes", steps: [removeUndeclared(declared)] },
        { title: "Settings", steps: [applySettings(spec)] },
        { title: "Mark", steps: [{ step: "complete-simulated-cluster", title: "Mark the cluster as complete" }] },
      ],
    },
  ];
}

function startNode({ name, role }: DeclaredNode, version: string): StepUse {
  return {
    step: "create-simulated-node",
    title: `Start ${name}`,
    input: { node: name, role, version },
    changes: [`Starts the simulated ${role} ${name} with Kubernetes ${version}, unless it is there`],
  };
}

function removeUndeclared(declared: readonly DeclaredNode[]): StepUse {
  return {
    step: "remove-simulated-nodes",
    title: "Remove nodes that are not declared",
    input: { keep: declared.map(({ name }) => name) },
    changes: ["Drains and removes every node of the cluster that is not declared"],
  };
}

function applySettings(spec: ProviderCluster["spec"]): StepUse {
  return {
    step: "apply-simulated-settings",
    title: "Configure the networks",
    input: { settings: settingsOf(spec) },
    changes: ["Configures the networks as declared"],
  };
}

/** One module for each version on the way; control planes one at a time, then the workers in waves. */
function upgrade({ name, spec }: ProviderCluster, seen: SeenNodes): readonly Module[] {
  const target = spec.kubernetes?.version;
  const from = lowestSeen(seen);
  if (target === undefined || from === null || from === target) return [];
  const old = declaredNodes(name, spec).filter((node) => isOlder(seen.get(node.name) ?? target, target));
  return versionsBetween(name, from, target).map((version) => ({
    title: `Upgrade to ${version}`,
    tasks: [
      ...old
        .filter(({ role }) => role === "control-plane")
        .map((node) => upgradeTask("Control plane", [node], version)),
      ...waves(old.filter(({ role }) => role === "worker")).map((wave, index) =>
        upgradeTask(`Workers, wave ${index + 1}`, wave, version),
      ),
    ],
  }));
}

function upgradeTask(title: string, nodes: readonly DeclaredNode[], version: string) {
  return {
    title,
    steps: nodes.map(({ name }) => ({
      step: "upgrade-simulated-node",
      title: `Upgrade ${name}`,
      input: { node: name, version },
      changes: [`Upgrades ${name} to Kubernetes ${version}`],
    })),
  };
}

function waves(nodes: readonly DeclaredNode[]): readonly (readonly DeclaredNode[])[] {
  const count = Math.ceil(nodes.length / WAVE);
  return Array.from({ length: count }, (_, index) => nodes.slice(index * WAVE, (index + 1) * WAVE));
}

function versionsBetween(clusterName: string, from: string, to: string): readonly string[] {
  const start = parseKubernetesVersion(from);
  const end = parseKubernetesVersion(to);
  const path = start === null || end === null ? null : upgradePath(start, end);
  if (path?.ok) return path.path.map(formatKubernetesVersion);
  const why = path?.message ?? `${from} is no version of Kubernetes.`;
  throw new DroverError("change-forbidden", `The simulated cluster ${clusterName} cannot be upgraded: ${why}`);
}

const lowestSeen = (seen: SeenNodes): string | null =>
  lowestVersion([...seen.values()].map((version) => ({ version })));

function remove(title: string): Module {
  return {
    title,
    tasks: [
      {
        title: "Nodes",
        steps: [
          {
            step: "remove-simulated-nodes",
            title: "Remove every node",
            input: { keep: [] },
            changes: ["Drains and removes every node of the cluster"],
          },
        ],
      },
      {
        title: "Cluster",
        steps: [
          { step: "remove-simulated-cluster", title: "Remove the cluster", changes: ["Removes the simulated cluster"] },
        ],
      },
    ],
  };
}

function stop(): Module {
  const use: StepUse = {
    step: "stop-simulated-cluster",
    title: "Stop the cluster",
    changes: ["Stops the simulated cluster; its data is kept"],
  };
  return { title: "Put the cluster to sleep", tasks: [{ title: "Cluster", steps: [use] }] };
}

function start(): Module {
  const use: StepUse = {
    step: "start-simulated-cluster",
    title: "Start the cluster",
    changes: ["Starts the simulated cluster with the data it had"],
  };
  return { title: "Wake the cluster", tasks: [{ title: "Cluster", steps: [use] }] };
}

function adopt(): Module {
  const use: StepUse = {
    step: "adopt-simulated-cluster",
    title: "Take over what is there",
    changes: ["Writes down what lies under the cluster's name; the cluster itself stays as it is"],
  };
  return { title: "Adopt the cluster", tasks: [{ title: "Objects", steps: [use] }] };
}
