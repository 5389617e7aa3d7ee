import type { Cluster } from "../../api/objects.ts";

const ACTIONS = [
  "reconcile",
  "retry",
  "pause",
  "resume",
  "protect",
  "unprotect",
  "hibernate",
  "wake",
  "backup",
  "renewCertificates",
  "rotateEncryptionKey",
  "rotateTokens",
  "adopt",
  "cancel",
] as const;
export type Action = (typeof ACTIONS)[number];

/** Which actions make sense for a cluster as it is. */
export function listActions({ spec, status }: Cluster): readonly Action[] {
  const { paused, protected: isProtected } = spec.maintenance;
  const modifiers = status?.modifiers ?? [];
  const isOnMachines = spec.ssh !== undefined;
  const isKubeadm = spec.ssh?.distribution === "kubeadm";
  const isIdle = status?.phase === "Running" && status.job === undefined;
  const isHibernated = status?.hibernated === true;
  const needed: Readonly<Record<Action, boolean>> = {
    reconcile: status?.job === undefined,
    retry: status?.job === undefined && (modifiers.includes("Stalled") || status?.phase === "Unavailable"),
    pause: !paused,
    resume: paused,
    protect: !isProtected,
    unprotect: isProtected,
    // Drover neither stops machines, nor clusters that it did not make.
    hibernate: !isOnMachines && spec.imported === undefined && !isHibernated && status?.phase === "Running",
    wake: isHibernated,
    backup: isOnMachines && isIdle,
    renewCertificates: isOnMachines && isIdle,
    rotateEncryptionKey: isKubeadm && isIdle && spec.ssh?.apiServer?.encryptSecrets === true,
    rotateTokens: isKubeadm && isIdle,
    adopt: spec.imported?.locked === true,
    cancel: status?.job !== undefined,
  };
  return ACTIONS.filter((action) => needed[action]);
}
