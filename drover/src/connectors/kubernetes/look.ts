import { fieldsAt, listAt, textAt } from "../../domain/json-fields.ts";
import type { KubernetesLook } from "../../domain/kubernetes-look.ts";
import { nodeSeenOf } from "../../domain/kubernetes-node.ts";
import { type PodSeen, podSeenOf } from "../../domain/kubernetes-pod.ts";
import { parseQuantity } from "../../domain/kubernetes-quantity.ts";
import { KubernetesError } from "../../ports/kubernetes-api.ts";
import type { Answer } from "./exchange.ts";

/** Asks with GET; answers whatever the status. */
export type Get = (path: string) => Promise<Answer>;

const PAGE = 500;
/** Beyond that many objects the use of nodes is not worked out: it is not worth holding up everybody else. */
const MOST_PAGES = 40;
const LIST_ATTEMPTS = 3;
const SYSTEM_NAMESPACE = "kube-system";

export type Quick = Pick<KubernetesLook, "ready" | "version"> & { readonly serverCertificateEnds: number | null };

/** Readiness and version. Rejects when the API refuses even these. */
export async function lookQuickly(get: Get): Promise<Quick> {
  const [readiness, version] = await Promise.all([get("/readyz"), get("/version")]);
  if (readiness.status === 401 || readiness.status === 403) throw refusal(readiness);
  return {
    ready: readiness.status === 200,
    version: version.status === 200 ? textAt(parseJson(version), "gitVersion") : null,
    serverCertificateEnds: readiness.certificateEnds,
  };
}

export type Inside = Pick<KubernetesLook, "nodes" | "useFrom" | "unwellPods" | "withheld">;

/** Nodes with their use, and the pods of the system. What the credentials may not see is told, not guessed. */
export async function lookInside(get: Get, now: number): Promise<Inside> {
  const listPods = (path: string) => listAll(get, path, (pod) => podSeenOf(pod, now));
  const [nodes, pods, measured] = await Promise.all([
    listAll(get, "/api/v1/nodes", (node) => node),
    listPods("/api/v1/pods"),
    readMetrics(get),
  ]);
  if (nodes === "unclear") throw new KubernetesError("refused", "The nodes cannot be listed whole.");
  const onNode = typeof pods === "string" ? null : groupByNode(pods);
  const seen = known(nodes).map((node) => {
    const name = textAt(node, "metadata", "name") ?? "";
    return nodeSeenOf(node, {
      pods: onNode === null ? null : (onNode.get(name) ?? []),
      measured: measured === null ? null : (measured.get(name) ?? UNMEASURED),
    });
  });
  const system = pods === "unclear" ? await listPods(`/api/v1/namespaces/${SYSTEM_NAMESPACE}/pods`) : pods;
  return {
    nodes: seen.sort((left, right) => (left.name < right.name ? -1 : 1)),
    useFrom: measured === null ? (onNode === null ? null : "requests") : "metrics",
    unwellPods: known(system)
      .filter(isUnwellSystemPod)
      .map(({ name, unwell }) => `${name} (${unwell})`)
      .sort(),
    withheld: [...(nodes === "withheld" ? ["nodes"] : []), ...(pods === "withheld" ? ["pods"] : [])],
  };
}

const known = <T>(listed: Listed<T>): readonly T[] => (typeof listed === "string" ? [] : listed);

const UNMEASURED = { cpu: null, memory: null } as const;

const isUnwellSystemPod = ({ namespace, unwell }: PodSeen): boolean =>
  namespace === SYSTEM_NAMESPACE && unwell !== null;

function groupByNode(pods: readonly PodSeen[]): ReadonlyMap<string, readonly PodSeen[]> {
  const groups = new Map<string, PodSeen[]>();
  for (const pod of pods) {
    if (pod.node === null) continue;
    const group = groups.get(pod.node);
    if (group === undefined) groups.set(pod.node, [pod]);
    else group.push(pod);
  }
  return groups;
}

/** `withheld`: these credentials may not see them. `unclear`: too many, or they changed too fast to be listed whole. */
type Listed<T> = readonly T[] | "withheld" | "unclear";

/** All objects of a list, each reduced at once; a part of them is never taken for all. */
async function listAll<T>(get: Get, path: string, take: (item: unknown) => T): Promise<Listed<T>> {
  for (let attempt = 0; attempt < LIST_ATTEMPTS; attempt += 1) {
    const listed = await listOnce(get, path, take);
    if (listed !== "moved") return listed;
  }
  return "unclear";
}

/** Page by page. `moved`: the list has changed so much since its first page that the API no longer goes on with it. */
async function listOnce<T>(get: Get, path: string, take: (item: unknown) => T): Promise<Listed<T> | "moved"> {
  const taken: T[] = [];
  let next: string | null = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = new URLSearchParams({ limit: String(PAGE), ...(next === null ? {} : { continue: next }) });
    const answer = await get(`${path}?${query}`);
    if (answer.status === 401 || answer.status === 403) return "withheld";
    if (answer.status === 410 && page > 0) return "moved";
    if (answer.status !== 200) throw refusal(answer);
    const list = parseJson(answer);
    for (const item of listAt(list, "items")) taken.push(take(item));
    next = textAt(list, "metadata", "continue");
    if (next === null) return taken;
  }
  return "unclear";
}

/** Null when nobody measures. */
async function readMetrics(
  get: Get,
): Promise<ReadonlyMap<string, { readonly cpu: number | null; readonly memory: number | null }> | null> {
  const answer = await get("/apis/metrics.k8s.io/v1beta1/nodes");
  if (answer.status !== 200) return null;
  const items = listAt(parseJson(answer), "items");
  return new Map(
    items.map((item) => {
      const usage = fieldsAt(item, "usage");
      const measured = { cpu: parseQuantity(usage["cpu"]), memory: parseQuantity(usage["memory"]) };
      return [textAt(item, "metadata", "name") ?? "", measured];
    }),
  );
}

export function parseJson({ text, status }: Answer): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new KubernetesError("refused", "What answered does not speak as a Kubernetes API does.", status);
  }
}

/** The complaint of the API in its own words. */
export function refusal({ status, text }: Answer): KubernetesError {
  const words = wordsOf(text) ?? text.trim().split("\n", 1)[0]?.slice(0, 200) ?? "";
  const why = words === "" ? "" : `: ${words}`;
  return new KubernetesError("refused", `The Kubernetes API answered ${status}${why}`, status);
}

/** The message, and what it was caused by: of an eviction, the disruption budget. Null when the API said nothing. */
function wordsOf(text: string): string | null {
  try {
    const status: unknown = JSON.parse(text);
    const causes = listAt(status, "details", "causes").map((cause) => textAt(cause, "message"));
    const said = [textAt(status, "message"), ...causes].filter((part) => part !== null);
    return said.length === 0 ? null : said.map((part) => part.replace(/\.?$/, ".")).join(" ");
  } catch {
    return null;
  }
}
