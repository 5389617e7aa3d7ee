import type { OwnObject } from "./own-objects.ts";

/** The roles that a kubeconfig can be made for; the administrator's is the one that a worker keeps. */
export type LimitedRole = "viewer" | "operator";

/** The cluster roles of Kubernetes itself that ours stand on. They know nothing of what belongs to no namespace. */
const BUILT_IN: Readonly<Record<LimitedRole, string>> = { viewer: "view", operator: "edit" };
const RBAC = "rbac.authorization.k8s.io";
const LOOK = ["get", "list", "watch"] as const;

/** When a grant ends, in RFC 3339. */
export const ENDS_ANNOTATION = "drover.dev/ends";
const CLUSTER_LABEL = "drover.dev/cluster";

/**
 * Names carry the id of the cluster's record: two Drovers that know the same cluster have objects of their own, and
 * removing those of one takes nothing from the other.
 */
const nameOf = (clusterId: string): string => `drover-${clusterId}`;

const metadata = (clusterId: string, name: string, more: object = {}): object => ({
  name,
  labels: { "app.kubernetes.io/managed-by": "drover", [CLUSTER_LABEL]: clusterId },
  ...more,
});

/** Everything that grants of a role stand on, in the order in which it is made. */
export function roleObjects(clusterId: string, role: LimitedRole): readonly OwnObject[] {
  const space = nameOf(clusterId);
  const outside = `${space}-look-outside-namespaces`;
  return [
    {
      kind: "Namespace",
      path: `/api/v1/namespaces/${space}`,
      body: { apiVersion: "v1", kind: "Namespace", metadata: metadata(clusterId, space) },
    },
    {
      kind: "ServiceAccount",
      path: accountPath(clusterId, role),
      body: {
        apiVersion: "v1",
        kind: "ServiceAccount",
        metadata: metadata(clusterId, role, { namespace: space }),
        automountServiceAccountToken: false,
      },
    },
    {
      kind: "ClusterRole",
      path: `/apis/${RBAC}/v1/clusterroles/${outside}`,
      body: {
        apiVersion: `${RBAC}/v1`,
        kind: "ClusterRole",
        metadata: metadata(clusterId, outside),
        rules: [
          { apiGroups: [""], resources: ["nodes", "namespaces", "persistentvolumes"], verbs: LOOK },
          { apiGroups: ["storage.k8s.io"], resources: ["storageclasses"], verbs: LOOK },
          { apiGroups: ["metrics.k8s.io"], resources: ["nodes", "pods"], verbs: ["get", "list"] },
        ],
      },
    },
    bindingOf(clusterId, role, BUILT_IN[role], `${space}-${role}`),
    bindingOf(clusterId, role, outside, `${space}-${role}-look-outside-namespaces`),
  ];
}

function bindingOf(clusterId: string, role: LimitedRole, clusterRole: string, name: string): OwnObject {
  return {
    kind: "ClusterRoleBinding",
    path: `/apis/${RBAC}/v1/clusterrolebindings/${name}`,
    body: {
      apiVersion: `${RBAC}/v1`,
      kind: "ClusterRoleBinding",
      metadata: metadata(clusterId, name),
      roleRef: { apiGroup: RBAC, kind: "ClusterRole", name: clusterRole },
      subjects: [{ kind: "ServiceAccount", name: role, namespace: nameOf(clusterId) }],
    },
  };
}

export const accountPath = (clusterId: string, role: LimitedRole): string =>
  `/api/v1/namespaces/${nameOf(clusterId)}/serviceaccounts/${role}`;

export const grantName = (id: string): string => `grant-${id}`;

export const grantsPath = (clusterId: string): string => `/api/v1/namespaces/${nameOf(clusterId)}/secrets`;

export const grantPath = (clusterId: string, id: string): string => `${grantsPath(clusterId)}/${grantName(id)}`;

/** An empty secret that the token of a grant is bound to: the API server refuses the token once the secret is gone. */
export function grantObject(clusterId: string, id: string, endsAt: number): OwnObject {
  const annotations = { [ENDS_ANNOTATION]: new Date(endsAt).toISOString() };
  return {
    kind: "Secret",
    path: grantPath(clusterId, id),
    body: {
      apiVersion: "v1",
      kind: "Secret",
      metadata: metadata(clusterId, grantName(id), { namespace: nameOf(clusterId), annotations }),
      type: "drover.dev/grant",
    },
  };
}
