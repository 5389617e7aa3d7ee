import { PROVIDERS } from "../schema.ts";
import type { ClusterDraft, Report, Rule } from "./rule.ts";

/** Exactly the block that is named after the provider may be there; ssh and imported cannot do without theirs. */
export const checkProviderBlock: Rule = ({ spec }, report) => {
  const provider = spec?.provider;
  if (provider === undefined) return;
  for (const other of PROVIDERS) {
    if (other === provider || spec?.[other] === undefined) continue;
    report.add(
      `spec.${other}`,
      "provider-block-foreign",
      `spec.${other} is given, but spec.provider is ${provider}.`,
      `Remove spec.${other}, or set spec.provider to ${other}.`,
    );
  }
  const needsBlock = provider === "ssh" || provider === "imported";
  if (needsBlock && spec?.[provider] === undefined && !report.isBroken(`spec.${provider}`)) {
    report.add(
      `spec.${provider}`,
      "provider-block-missing",
      `spec.provider is ${provider}, but spec.${provider} is missing.`,
      `Add spec.${provider}.`,
    );
  }
};

/** What a provider cannot do is refused, not ignored: someone who wrote it counts on it. */
export const checkProviderAbilities: Rule = (cluster, report) => {
  const { spec } = cluster;
  const refuse = (path: string, reason: string) =>
    report.add(path, "field-unsupported", `${path} cannot be used: ${reason}.`);
  if (spec?.provider === "imported") {
    const reason = "an imported cluster keeps the settings it has";
    if (spec.networking !== undefined) refuse("spec.networking", reason);
    if (spec.kubernetes?.version !== undefined) refuse("spec.kubernetes.version", reason);
  }
  if (spec?.provider === "ssh") {
    if (spec.networking?.ports !== undefined) {
      refuse("spec.networking.ports", "machines publish their ports themselves");
    }
    if (spec.networking?.apiServer !== undefined) {
      refuse("spec.networking.apiServer", "spec.ssh.endpoint decides where the API server is published");
    }
  }
  if ((spec?.provider === "ssh" || spec?.provider === "imported") && spec.maintenance?.schedule !== undefined) {
    refuse("spec.maintenance.schedule", "only clusters on a container host can be stopped and started");
  }
  checkDistribution(cluster, refuse);
};

function checkDistribution({ spec }: ClusterDraft, refuse: (path: string, reason: string) => void): void {
  const ssh = spec?.ssh;
  if (ssh?.distribution === "kubeadm" && ssh.k3sArgs !== undefined) {
    refuse("spec.ssh.k3sArgs", "the distribution is kubeadm");
  }
  if (ssh?.distribution !== "k3s") return;
  if (ssh.kubeadmPatches !== undefined) refuse("spec.ssh.kubeadmPatches", "the distribution is k3s");
  if (ssh.etcd?.topology === "separate") refuse("spec.ssh.etcd.topology", "k3s keeps etcd on its servers");
}

/** The load balancer of k3d is the only one that can publish ports. */
export const checkPortTargets: Rule = ({ spec }, report: Report) => {
  const hasLoadBalancer = spec?.provider === "k3d" && spec.k3d?.loadBalancer !== false;
  for (const [index, port] of (spec?.networking?.ports ?? []).entries()) {
    if (port?.node !== "loadbalancer" || hasLoadBalancer) continue;
    const path = `spec.networking.ports[${index}].node`;
    report.add(path, "field-unsupported", `${path} cannot be used: the cluster has no load balancer.`);
  }
};
