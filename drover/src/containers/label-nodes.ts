import type { KubernetesApi, KubernetesTarget } from "../ports/kubernetes-api.ts";

/** Who we are to the API: what we applied once, and no more, is taken away. */
const FIELD_MANAGER = "drover";

interface NodeObject {
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly managedFields?: readonly { readonly manager?: string; readonly fieldsV1?: unknown }[];
  };
}

/** The nodes whose labels are not as declared: one is missing, differs, or is ours and declared no more. */
export async function unlabelledNodes(
  kubernetes: KubernetesApi,
  target: KubernetesTarget,
  labels: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { items } = (await kubernetes.get(target, "/api/v1/nodes", signal)) as { items: readonly NodeObject[] };
  return items.filter((node) => !isLabelled(node, labels)).map(({ metadata }) => metadata.name);
}

function isLabelled({ metadata }: NodeObject, labels: Readonly<Record<string, string>>): boolean {
  const seen = metadata.labels ?? {};
  const asDeclared = Object.entries(labels).every(([name, value]) => seen[name] === value);
  return asDeclared && ownLabels(metadata).every((name) => Object.hasOwn(labels, name));
}

/** Those that we have applied, as the API notes them: `f:metadata`, `f:labels`, `f:NAME`. */
function ownLabels({ managedFields = [] }: NodeObject["metadata"]): readonly string[] {
  return managedFields
    .filter(({ manager }) => manager === FIELD_MANAGER)
    .flatMap(({ fieldsV1 }) => Object.keys(fieldOf(fieldOf(fieldsV1, "f:metadata"), "f:labels") ?? {}))
    .map((key) => key.replace(/^f:/, ""));
}

function fieldOf(fields: unknown, name: string): object | undefined {
  if (typeof fields !== "object" || fields === null) return undefined;
  const value = (fields as Record<string, unknown>)[name];
  return typeof value === "object" && value !== null ? value : undefined;
}

export async function labelNodes(
  kubernetes: KubernetesApi,
  target: KubernetesTarget,
  names: readonly string[],
  labels: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  for (const name of names) {
    const body = { apiVersion: "v1", kind: "Node", metadata: { name, labels } };
    await kubernetes.patch(target, `/api/v1/nodes/${name}`, body, { apply: true, signal });
  }
}
