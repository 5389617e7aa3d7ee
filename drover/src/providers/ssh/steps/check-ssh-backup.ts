import { DroverError } from "@drover/contract";
import { compareKubernetesVersions, parseKubernetesVersion } from "../../../domain/kubernetes-version.ts";
import { asMachine } from "../../../ports/machines.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { backupOfStep, fetchBackup } from "../backup-files.ts";
import { controlPlanesOf, etcdNodesOf, hasSeparateEtcd, isK3s, versionOf } from "../declared.ts";
import { isMemberOf, type SshHost } from "../host.ts";
import { K3S_AUTHORITY } from "../k3s/k3s-paths.ts";

const authorityOf = ({ spec }: StepContext["cluster"]): string =>
  isK3s(spec) ? K3S_AUTHORITY : "/etc/kubernetes/pki/ca.crt";

/** Everything that could be wrong with a restore, found out before anything is touched. */
export function checkSshBackup(host: SshHost): Step {
  return {
    name: "check-ssh-backup",
    precheck: async () => false,
    run: (context) =>
      context.change(context.step.host, "Check the backup, and that it fits the machines", () => check(host, context)),
    verify: async () => true,
  };
}

async function check(host: SshHost, context: StepContext): Promise<void> {
  const { cluster, signal } = context;
  const backup = await backupOfStep(context);
  const { manifest } = backup;
  const [was, is] = [manifest.kubernetesVersion, versionOf(cluster.spec)].map(parseKubernetesVersion);
  if (was && is && compareKubernetesVersions({ ...was, patch: 0 }, { ...is, patch: 0 }) > 0) {
    throw new DroverError(
      "backup-unfit",
      `The backup is of Kubernetes ${manifest.kubernetesVersion}, which ${versionOf(cluster.spec)} cannot read.`,
    );
  }
  const controlPlanes = new Set(controlPlanesOf(cluster.spec).map(({ name }) => name));
  const names = new Set([...controlPlanes, ...etcdNodesOf(cluster.spec).map(({ name }) => name)]);
  for (const one of await host.seeAll(cluster, [...names], signal)) {
    // One that stayed away would come back with another history.
    if ("unreachable" in one) throw new DroverError("machine-unreachable", one.unreachable);
    if (!isMemberOf(cluster.id, one)) {
      // One that was lost comes back with the authorities of the backup, or joins the others.
      if (!hasSeparateEtcd(cluster.spec)) continue;
      throw new DroverError("backup-unfit", `${one.node} is no node of ${cluster.name}: repair it first.`);
    }
    if (!controlPlanes.has(one.node)) continue;
    const machine = asMachine(await context.connect(one.node));
    const { stdout } = await machine.run({ argv: ["sha256sum", authorityOf(cluster)] }, { signal });
    if (stdout.split(" ")[0] !== manifest.authority) {
      throw new DroverError(
        "backup-unfit",
        `${one.node} has another certificate authority than when the backup was taken: nothing in it would be trusted.`,
      );
    }
  }
  await fetchBackup(host, context, backup);
}
