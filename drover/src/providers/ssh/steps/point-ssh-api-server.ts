import { parse, stringify } from "yaml";
import { fieldsAt, textAt } from "../../../domain/json-fields.ts";
import type { KubernetesTarget } from "../../../ports/kubernetes-api.ts";
import { runAll } from "../../../ports/run-all.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { externalEtcd } from "../etcd/database.ts";
import { POINT_API_SERVER } from "../etcd/scripts.ts";
import type { SshHost } from "../host.ts";
import { KUBECTL, STATE_FOLDER } from "../machine-paths.ts";
import { argvOf } from "../scripts/script.ts";
import { requireTarget } from "./label-ssh-nodes.ts";
import { machineOf, work } from "./on-machine.ts";

const MANIFEST = "/etc/kubernetes/manifests/kube-apiserver.yaml";
const CONFIG_PATH = "/api/v1/namespaces/kube-system/configmaps/kubeadm-config";

/** An API server asks the members that the spec names, and those who join or are upgraded later are told the same. */
export function pointSshApiServer(host: SshHost): Step {
  return {
    name: "point-ssh-api-server",
    precheck: async (context) =>
      (await asksAll(context)) && (await findUnlike(host, context, await requireTarget(host, context))) === null,
    run: (context) => {
      const text = `Have the API server of ${context.step.host} ask the members of etcd that the spec names`;
      return context.change(context.step.host, text, () => point(host, context));
    },
  };
}

const serversOf = ({ cluster }: StepContext): readonly string[] => externalEtcd(cluster.spec).endpoints;

async function asksAll(context: StepContext): Promise<boolean> {
  const wanted = `--etcd-servers=${serversOf(context).join(",")}`;
  const [manifest] = await runAll(await machineOf(context), [{ argv: ["cat", MANIFEST] }], {
    signal: context.signal,
    keepBytes: 1 << 20,
  });
  return (manifest?.stdout ?? "").split("\n").some((line) => line.trim() === `- ${wanted}`);
}

async function point(host: SshHost, context: StepContext): Promise<void> {
  if (!(await asksAll(context))) {
    const servers = serversOf(context).join(",");
    const isReady = [...KUBECTL, "--server", "https://127.0.0.1:6443", "get", "--raw", "/readyz"];
    await work(context, argvOf(POINT_API_SERVER, MANIFEST, `${STATE_FOLDER}/kube-apiserver.yaml`, servers, ...isReady));
  }
  const target = await requireTarget(host, context);
  const patch = await findUnlike(host, context, target);
  if (patch !== null) await host.parts.kubernetes.patch(target, CONFIG_PATH, patch, { signal: context.signal });
}

/** What has to change in kubeadm's own note of the cluster; null when nothing has. */
async function findUnlike(host: SshHost, context: StepContext, target: KubernetesTarget): Promise<object | null> {
  const note = await host.parts.kubernetes.get(target, CONFIG_PATH, context.signal);
  const changed = withEndpoints(textAt(note, "data", "ClusterConfiguration") ?? "", serversOf(context));
  return changed === null ? null : { data: { ClusterConfiguration: changed } };
}

/** kubeadm's configuration with other members, all else as it is; null when it names these. */
export function withEndpoints(text: string, wanted: readonly string[]): string | null {
  const config: unknown = parse(text);
  const external = fieldsAt(config, "etcd", "external");
  const { endpoints } = external;
  if (!Array.isArray(endpoints) || endpoints.join(",") === wanted.join(",")) return null;
  return stringify({ ...fieldsAt(config), etcd: { external: { ...external, endpoints: wanted } } });
}
