import type { KubernetesLook } from "./kubernetes-look.ts";
import { isNodeReady } from "./kubernetes-node.ts";
import type { Json, JsonObject } from "./plan.ts";
import type { Sighting } from "./sighting.ts";

/** The part of a sighting that the Kubernetes API tells, the same for every kind of cluster. */
export type KubernetesHealth = Pick<
  Sighting,
  "reachable" | "nodesReady" | "nodesTotal" | "kubernetesVersion" | "endpoint" | "message" | "body"
>;

const SHOWN_PODS = 5;

/** What a look means. Pods that are not well are told about; they are no drift, as no declaration mentions them. */
export function healthOf(look: KubernetesLook): KubernetesHealth {
  const nodesReady = look.nodes.filter(isNodeReady).length;
  return {
    reachable: look.ready,
    nodesReady,
    nodesTotal: look.nodes.length,
    kubernetesVersion: look.version,
    endpoint: look.endpoint,
    message: describe(look, nodesReady),
    body: {
      nodes: look.nodes.map((node) => ({ ...node })),
      unwellPods: look.unwellPods,
      withheld: look.withheld,
      useFrom: look.useFrom,
      certificates: { server: timeOf(look.certificates.server), client: timeOf(look.certificates.client) },
    },
  };
}

/**
 * For a cluster that is there but whose API gave no answer that counts. What the last one said stays, as far as it does
 * not change by itself; how its nodes are is not known.
 */
export function healthWithoutAnswer(
  endpoint: string | null,
  message: string,
  last: KubernetesHealth | null = null,
): KubernetesHealth {
  const { kubernetesVersion = null, nodesTotal = 0, body = {} } = last ?? {};
  return {
    ...{ reachable: false, nodesReady: 0, nodesTotal, kubernetesVersion, message },
    endpoint: endpoint ?? last?.endpoint ?? null,
    // Pods: empty, not left out, as what was said about them before holds no longer.
    body: { ...body, nodes: nodesNotKnown(body["nodes"]), unwellPods: [] },
  };
}

function nodesNotKnown(nodes: Json | undefined): Json {
  return Array.isArray(nodes) ? nodes.map((node: JsonObject) => ({ ...node, status: "Unknown" })) : [];
}

const timeOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

function describe(look: KubernetesLook, nodesReady: number): string {
  const sentences = [
    look.ready ? "" : "The Kubernetes API says that it is not ready.",
    look.withheld.includes("nodes")
      ? "The credentials may not see the nodes."
      : `${nodesReady} of ${look.nodes.length} nodes are ready.`,
    describePods(look.unwellPods),
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

function describePods(pods: readonly string[]): string {
  if (pods.length === 0) return "";
  const more = pods.length > SHOWN_PODS ? `, and ${pods.length - SHOWN_PODS} more` : "";
  return `In kube-system these do not run as they should: ${pods.slice(0, SHOWN_PODS).join(", ")}${more}.`;
}
