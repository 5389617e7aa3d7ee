import { listAt, textAt } from "../../../domain/json-fields.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { hasSeparateEtcd, isK3s, sshPart } from "../declared.ts";
import { dataOf } from "../etcd/database.ts";
import { readEtcdManifest } from "../etcd-on-machine.ts";
import type { SshHost } from "../host.ts";
import { K3S_OLD_DATABASE } from "../k3s/k3s-paths.ts";
import { RESTORE_FOLDER } from "../restore-stage.ts";
import { requireTarget } from "./label-ssh-nodes.ts";
import { machineOf } from "./on-machine.ts";

/** Nodes that left since the backup was taken came back with it: the cluster forgets them again. */
export function forgetSshStrays(host: SshHost): Step {
  return {
    name: "forget-ssh-strays",
    light: true,
    precheck: async (context) => (await findStrays(host, context)).length === 0,
    run: (context) =>
      context.change(context.step.host, "Forget nodes that are in the backup and no more in the spec", async () => {
        const target = await requireTarget(host, context);
        for (const name of await findStrays(host, context)) {
          await host.parts.kubernetes.delete(target, `/api/v1/nodes/${name}`, context.signal);
          context.log(`The node ${name} left after the backup was taken; it is forgotten again.`);
        }
      }),
  };
}

async function findStrays(host: SshHost, context: StepContext): Promise<readonly string[]> {
  const target = await requireTarget(host, context);
  const list = await host.parts.kubernetes.get(target, "/api/v1/nodes", context.signal);
  const declared = new Set(sshPart(context.cluster.spec).nodes.map(({ name }) => name));
  return listAt(list, "items")
    .map((node) => textAt(node, "metadata", "name") ?? "")
    .filter((name) => name !== "" && !declared.has(name));
}

/** Only now that the cluster is well does the old database go. */
export function clearSshRestore(host: SshHost): Step {
  return {
    name: "clear-ssh-restore",
    precheck: async (context) => {
      const machine = await machineOf(context);
      const { exitCode } = await machine.run({ argv: ["test", "-e", RESTORE_FOLDER] }, { signal: context.signal });
      return exitCode !== 0;
    },
    run: (context) =>
      context.change(context.step.host, `Remove the old database from ${context.step.host}`, async () => {
        const machine = await machineOf(context);
        const { signal } = context;
        await machine.run({ argv: ["rm", "-rf", ...(await findAside(context)), RESTORE_FOLDER] }, { signal });
        await host.parts.archive.clearWorkFolder(context.job.id);
      }),
  };
}

/** Where the old database of that machine lies. */
async function findAside(context: StepContext): Promise<readonly string[]> {
  const { spec } = context.cluster;
  if (isK3s(spec)) return [K3S_OLD_DATABASE];
  if (hasSeparateEtcd(spec)) return [`${dataOf(spec)}/drover-restore`];
  const argv = ["cat", "/etc/kubernetes/manifests/etcd.yaml"] as const;
  const { stdout } = await (await machineOf(context)).run({ argv }, { signal: context.signal });
  const etcd = readEtcdManifest(stdout);
  return etcd === null ? [] : [`${etcd.dataDirectory}/drover-restore`];
}
