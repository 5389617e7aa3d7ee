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
  const [nodes, pods, measured] = await Promise.all([
    listAll(get, "/api/v1/nodes", (node) => node),
    listAll(get, "/api/v1/pods", (pod) => podSeenOf(pod, now)),
    readMetrics(get),
  ]);
  const onNode = pods === null ? null : groupByNode(pods);
  const seen = (nodes ?? []).map((node) => {
    const name = textAt(node, "metadata", "name") ?? "";
    return nodeSeenOf(node, {
      pods: onNode === null ? null : (onNode.get(name) ?? []),
      measured: measured === null ? null : (measured.get(name) ?? UNMEASURED),
    });
  });
  return {
    nodes: seen.sort((left, right) => (left.name < right.name ? -1 : 1)),
    useFrom: measured === null ? (pods === null ? null : "requests") : "metrics",
    unwellPods: (pods ?? [])
      .filter(isUnwellSystemPod)
      .map(({ name, unwell }) => `${name} (${unwell})`)
      .sort(),
    withheld: [...(nodes === null ? ["nodes"] : []), ...(pods === null ? ["pods"] : [])],
  };
}

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

/** All objects of a list, page by page, each reduced at once; null when these credentials may not see them. */
async function listAll<T>(get: Get, path: string, take: (item: unknown) => T): Promise<readonly T[] | null> {
  const taken: T[] = [];
  let next: string | null = "";
  for (let page = 0; page < MOST_PAGES && next !== null; page += 1) {
    const query = new URLSearchParams({ limit: String(PAGE), ...(next === "" ? {} : { continue: next }) });
    const answer = await get(`${path}?${query}`);
    if (answer.status === 401 || answer.status === 403) return null;
    // 410: the list has moved on in the middle; what was read so far is still what was there a moment ago.
    if (answer.status === 410 && page > 0) return taken;
    if (answer.status !== 200) throw refusal(answer);
    const list = parseJson(answer);
    for (const item of listAt(list, "items")) taken.push(take(item));
    next = textAt(list, "metadata", "continue");
  }
  return taken;
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
