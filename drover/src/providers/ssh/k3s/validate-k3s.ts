import { type ClusterSpec, makeProblem, type Problem } from "@drover/contract";
import { sshPart } from "../declared.ts";
import { SETTINGS_OF_DROVER } from "./k3s-settings.ts";

/** What k3s has no use for, or brings about in another way; each with the next move. */
export function validateK3s(spec: ClusterSpec): readonly Problem[] {
  const { endpoint, etcd, containerd, certificates, apiServer, k3sArgs = [] } = sshPart(spec);
  const refuse = (isThere: boolean, path: string, message: string): readonly Problem[] =>
    isThere ? [makeProblem(`spec.ssh.${path}`, "field-unsupported", message)] : [];
  const OWN_CONTAINERD = "k3s brings its own containerd, and sets it up itself: leave it out.";
  const LIFETIME = "k3s decides how long its certificates last, and renews them when it starts: leave it out.";
  return [
    ...refuse(
      endpoint.type === "kube-vip",
      "endpoint.type",
      "kube-vip is set up for kubeadm alone: provide the address, and set the type to given.",
    ),
    ...refuse(
      endpoint.type === "haproxy",
      "endpoint.type",
      "HAProxy is not offered for k3s yet: provide the address, and set the type to given.",
    ),
    ...refuse(
      etcd.dataDirectory !== undefined,
      "etcd.dataDirectory",
      "k3s keeps etcd in its own folder, /var/lib/rancher: mount a disk there, and leave it out.",
    ),
    ...refuse(!containerd.install, "containerd.install", OWN_CONTAINERD),
    ...refuse(containerd.version !== undefined, "containerd.version", OWN_CONTAINERD),
    ...refuse(containerd.dataDirectory !== undefined, "containerd.dataDirectory", OWN_CONTAINERD),
    ...refuse(containerd.patches !== undefined, "containerd.patches", OWN_CONTAINERD),
    ...refuse(certificates?.validityDays !== undefined, "certificates.validityDays", LIFETIME),
    ...refuse(certificates?.caValidityDays !== undefined, "certificates.caValidityDays", LIFETIME),
    ...refuse(
      apiServer?.encryptSecrets === true,
      "apiServer.encryptSecrets",
      "k3s encrypts Secrets by its own setting: set secrets-encryption to true in spec.ssh.k3sArgs instead.",
    ),
    ...k3sArgs.flatMap(({ name }, index) => {
      const next = SETTINGS_OF_DROVER[name];
      return refuse(next !== undefined, `k3sArgs[${index}].name`, `${name} is not taken here. ${next}`);
    }),
    ...refuse(
      spec.networking?.cni.type !== undefined &&
        spec.networking.cni.type !== "builtin" &&
        k3sArgs.some(({ name }) => name === "flannel-backend"),
      "k3sArgs",
      "flannel-backend is for the built-in network: set spec.networking.cni.type to builtin, or leave it out.",
    ),
  ];
}
