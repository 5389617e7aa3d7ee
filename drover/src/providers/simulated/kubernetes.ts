import { fieldsAt } from "../../domain/json-fields.ts";
import { type KubernetesApi, KubernetesError, NO_KUBERNETES } from "../../ports/kubernetes-api.ts";
import type { ProviderCluster } from "../../ports/provider.ts";
import type { World } from "./world.ts";
import type { WorldObject } from "./world-state.ts";

const NODE = /^\/api\/v1\/nodes\/([^/?]+)$/;
const PODS = /^\/api\/v1\/pods\?/;

/** As much of the Kubernetes API of a simulated cluster as work on its nodes needs. No pods run there. */
export function simulatedKubernetes(world: World, { id, name: clusterName }: ProviderCluster): KubernetesApi {
  const findNode = (path: string): WorldObject | null => {
    const name = decodeURIComponent(NODE.exec(path)?.[1] ?? "");
    const objects = world.read().clusters.get(id)?.objects ?? [];
    return objects.find((object) => object.kind === "node" && object.name === name) ?? null;
  };
  return {
    ...NO_KUBERNETES,
    get: async (_, path) => {
      const node = findNode(path);
      if (node !== null) return { metadata: { name: node.name }, spec: { unschedulable: node.cordoned } };
      return PODS.test(path) ? { items: [] } : null;
    },
    patch: async (_, path, body) => {
      const node = findNode(path);
      if (node === null) throw new KubernetesError("refused", "There is no such node.", 404);
      const cordoned = fieldsAt(body, "spec")["unschedulable"] === true;
      const about = { clusterId: id, clusterName, key: null, token: null, operation: null };
      world.append([{ call: "cordon-node", ...about, input: { object: node.id, cordoned } }]);
      return {};
    },
  };
}
