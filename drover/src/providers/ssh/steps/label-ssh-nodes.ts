import { DroverError } from "@drover/contract";
import { fieldsAt, listAt, textAt } from "../../../domain/json-fields.ts";
import type { KubernetesTarget } from "../../../ports/kubernetes-api.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { type DeclaredNode, isControlPlane, sshPart } from "../declared.ts";
import type { SshHost } from "../host.ts";
import { CONTROL_PLANE_TAINT } from "../kubeadm-config.ts";

/** Keeps what we set last, so that what is declared no more can be told from what others set. */
const NOTE = "drover.dev/declared";

interface Declared {
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
}

interface Taint {
  readonly key: string;
  readonly value?: string | undefined;
  readonly effect: string;
}

/** Labels and taints of the spec on every node that is there. */
export function labelSshNodes(host: SshHost): Step {
  return {
    name: "label-ssh-nodes",
    light: true,
    precheck: async (context) => {
      const target = await host.target(context.cluster, context.signal);
      return target !== null && (await findUnlike(host, context, target)).length === 0;
    },
    run: (context) => {
      const text = `Set the declared labels and taints on the nodes of ${context.cluster.name}`;
      return context.change(context.step.host, text, async () => {
        const target = await requireTarget(host, context);
        for (const [name, body] of await findUnlike(host, context, target)) {
          await host.parts.kubernetes.patch(target, `/api/v1/nodes/${name}`, body, { signal: context.signal });
        }
      });
    },
  };
}

export async function requireTarget(host: SshHost, { cluster, signal }: StepContext): Promise<KubernetesTarget> {
  const target = await host.target(cluster, signal);
  if (target !== null) return target;
  throw new DroverError("cluster-not-ready", `No control plane of ${cluster.name} can be asked now.`);
}

async function findUnlike(
  host: SshHost,
  { cluster, signal }: StepContext,
  target: KubernetesTarget,
): Promise<readonly (readonly [string, object])[]> {
  const list = await host.parts.kubernetes.get(target, "/api/v1/nodes", signal);
  return listAt(list, "items").flatMap((object) => {
    const name = textAt(object, "metadata", "name") ?? "";
    const node = sshPart(cluster.spec).nodes.find((one) => one.name === name);
    const patch = node === undefined ? null : patchFor(object, declaredOn(cluster.spec, node));
    return patch === null ? [] : [[name, patch] as const];
  });
}

function declaredOn(spec: StepContext["cluster"]["spec"], node: DeclaredNode): Declared {
  const own = isControlPlane(node) && !sshPart(spec).schedulableControlPlane ? [CONTROL_PLANE_TAINT] : [];
  return { labels: node.labels ?? {}, taints: [...own, ...(node.taints ?? [])] };
}

/** A merge patch that makes a node as declared; null when it is. What others set stays. */
export function patchFor(object: unknown, declared: Declared): object | null {
  const before = readNote(textAt(object, "metadata", "annotations", NOTE));
  const labels = fieldsAt(object, "metadata", "labels");
  const taints = listAt(object, "spec", "taints") as unknown as readonly Taint[];
  const gone = Object.keys(before.labels).filter((key) => !(key in declared.labels) && key in labels);
  const labelPatch = {
    ...Object.fromEntries(gone.map((key) => [key, null])),
    ...Object.fromEntries(Object.entries(declared.labels).filter(([key, value]) => labels[key] !== value)),
  };
  const others = taints.filter(
    (taint) => ![...before.taints, ...declared.taints, CONTROL_PLANE_TAINT].some((one) => isSame(one, taint)),
  );
  const wanted = [...others, ...declared.taints];
  const sameTaints =
    wanted.length === taints.length &&
    wanted.every((one) => taints.some((taint) => isSame(one, taint) && (one.value ?? "") === (taint.value ?? "")));
  const note = JSON.stringify(declared);
  if (Object.keys(labelPatch).length === 0 && sameTaints && JSON.stringify(before) === note) return null;
  return {
    metadata: { labels: labelPatch, annotations: { [NOTE]: note } },
    ...(sameTaints ? {} : { spec: { taints: wanted } }),
  };
}

const isSame = (one: Taint, other: Taint): boolean => one.key === other.key && one.effect === other.effect;

function readNote(text: string | null): Declared {
  try {
    const value = JSON.parse(text ?? "{}") as Partial<Declared>;
    return { labels: value.labels ?? {}, taints: value.taints ?? [] };
  } catch {
    return { labels: {}, taints: [] };
  }
}
