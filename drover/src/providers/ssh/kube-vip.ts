import type { ClusterSpec } from "@drover/contract";
import { stringify } from "yaml";
import { sshPart } from "./declared.ts";
import { API_SERVER_PORT } from "./endpoint.ts";

export const KUBE_VIP_MANIFEST = "/etc/kubernetes/manifests/kube-vip.yaml";

export const usesKubeVip = (spec: ClusterSpec): boolean => sshPart(spec).endpoint.type === "kube-vip";

/**
 * What the API servers take from whoever leads: longer than a hiccup of a busy database, short enough for those who wait
 * for the address after a machine has died.
 */
const LEASE_SECONDS = { vip_leaseduration: "10", vip_renewdeadline: "7", vip_retryperiod: "2" };

export interface KubeVipParts {
  readonly image: string;
  /** The network card that carries the address. */
  readonly card: string;
  /** On the machine: by what kube-vip asks the API server beside it. */
  readonly kubeconfig: string;
  /** Changes with the kubeconfig, which is read once: another one starts the pod anew. */
  readonly stamp: string;
}

/** A static pod that has one of the control planes carry the address, whichever leads. */
export function kubeVipManifest(spec: ClusterSpec, { image, card, kubeconfig, stamp }: KubeVipParts): string {
  const address = String(sshPart(spec).endpoint.virtualIp);
  const settings = {
    address,
    port: String(API_SERVER_PORT),
    vip_interface: card,
    vip_subnet: address.includes(":") ? "128" : "32",
    vip_arp: "true",
    cp_enable: "true",
    cp_namespace: "kube-system",
    vip_leaderelection: "true",
    vip_leasename: "plndr-cp-lock",
    ...LEASE_SECONDS,
    // The one beside it: the address that it makes reachable cannot be the way to get there.
    kubernetes_addr: `https://127.0.0.1:${API_SERVER_PORT}`,
    prometheus_server: "127.0.0.1:2112",
  };
  const own = { name: "vip_nodename", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } };
  return stringify({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "kube-vip", namespace: "kube-system", annotations: { "drover.dev/kubeconfig": stamp } },
    spec: {
      hostNetwork: true,
      priorityClassName: "system-node-critical",
      hostAliases: [{ ip: "127.0.0.1", hostnames: ["kubernetes"] }],
      containers: [
        {
          name: "kube-vip",
          image,
          imagePullPolicy: "IfNotPresent",
          args: ["manager"],
          env: [own, ...Object.entries(settings).map(([name, value]) => ({ name, value }))],
          securityContext: { capabilities: { add: ["NET_ADMIN", "NET_RAW"], drop: ["ALL"] } },
          volumeMounts: [{ name: "kubeconfig", mountPath: "/etc/kubernetes/admin.conf", readOnly: true }],
        },
      ],
      volumes: [{ name: "kubeconfig", hostPath: { path: kubeconfig, type: "File" } }],
    },
  });
}
