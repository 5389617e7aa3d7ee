import type { NodeSeen } from "../../src/domain/node-seen.ts";
import { type KubernetesApi, KubernetesError } from "../../src/ports/kubernetes-api.ts";
import { readConfiguration } from "../../src/providers/ssh/encryption/configuration.ts";
import { Authority } from "../fake-kubernetes/certificates.ts";
import { FakeCluster, type FakeClusters, type FakeNode } from "./fake-clusters.ts";
import {
  encryptionArgument,
  getSecrets,
  isNamespace,
  secretIn,
  startApiServer,
  writeSecret,
} from "./fake-encryption.ts";
import { databaseOn, loadDatabase, startControlPlane } from "./fake-etcd.ts";
import { type FakeMachine, no, ok, type Program, type Said } from "./fake-machine.ts";
import { LINUX } from "./fake-programs.ts";

const ADMIN = "/etc/kubernetes/admin.conf";
const SERVING = "/etc/kubernetes/pki/apiserver.crt";
const KUBELET = "/etc/kubernetes/kubelet.conf";
const API_SERVER = "/etc/kubernetes/manifests/kube-apiserver.yaml";

/** kubeadm, kubectl and etcdctl, as far as steps can tell. */
export function kubeadmOn(clusters: FakeClusters): Readonly<Record<string, Program>> {
  const versionOn = ({ files }: FakeMachine) => (files.get("/usr/local/bin/kubelet") ?? "").replace(/^kubelet /, "");
  return {
    kubeadm: ([verb = "", ...args], machine) => {
      const { files, units, host } = machine;
      const cluster = clusters.clusterOf(host);
      switch (verb) {
        case "token":
          return ok("abcdef.0123456789abcdef\n");
        case "init": {
          if (args.includes("phase")) {
            if (args.includes("apiserver")) files.set(SERVING, AUTHORITY);
            if (args.includes("control-plane")) {
              files.set(API_SERVER, apiServer(files, cluster?.version ?? ""));
              startApiServer(cluster, machine);
            }
            if (args.includes("upload-config") && cluster !== undefined)
              cluster.isEncryptedByConfig = encryptionArgument(configOf(files)) !== "";
            return ok();
          }
          if (files.has(KUBELET)) return no("[ERROR FileAvailable--etc-kubernetes-kubelet.conf]: it exists");
          const isAsked = args.some((arg) => arg.startsWith("--ignore-preflight-errors=DirAvailable--var-lib-etcd"));
          if (files.has("/var/lib/etcd/member") && !isAsked) return no("[ERROR DirAvailable--var-lib-etcd]: not empty");
          // A database that is there knows the nodes that it had.
          const known = files.has("/var/lib/etcd/member")
            ? (clusters.byFounder.get(host) ?? clusters.reset.get(host))
            : undefined;
          const made = known ?? new FakeCluster();
          made.version = versionOn(machine);
          made.nodes.set(host, clusters.newNode(made.version));
          clusters.byFounder.set(host, made);
          files.set(ADMIN, adminConfig(host));
          files.set(API_SERVER, apiServer(files, made.version));
          files.set("/etc/kubernetes/pki/ca.crt", AUTHORITY);
          made.hasEtcdBeside = etcdServers(files) === "";
          startControlPlane(machine, made.hasEtcdBeside);
          loadDatabase(clusters, machine);
          made.isEncryptedByConfig = encryptionArgument(configOf(files)) !== "";
          startApiServer(made, machine);
          files.set(KUBELET, "x");
          units.set("kubelet", { enabled: true, active: true });
          return ok();
        }
        case "join": {
          const text = files.get(args.at(-1) ?? "") ?? "";
          const founder = [...clusters.byFounder.keys()].find((name) => text.includes(`${addressOf(name)}:`));
          const joined = clusters.byFounder.get(founder ?? "");
          if (joined === undefined) return no("there is no such cluster");
          joined.nodes.set(host, clusters.newNode(versionOn(machine)));
          files.set(KUBELET, "x");
          if (text.includes("controlPlane:")) {
            files.set(ADMIN, adminConfig(founder ?? ""));
            const keys = joined.isEncryptedByConfig
              ? "- --encryption-provider-config=/etc/kubernetes/drover/encryption.yaml\n"
              : "";
            files.set(API_SERVER, `${keys}image: registry.k8s.io/kube-apiserver:${joined.version}\n`);
            files.set("/etc/kubernetes/pki/ca.crt", AUTHORITY);
            startControlPlane(machine, joined.hasEtcdBeside);
            startApiServer(joined, machine);
          }
          units.set("kubelet", { enabled: true, active: true });
          return ok();
        }
        case "reset":
          if (clusters.byFounder.has(host)) clusters.reset.set(host, clusters.byFounder.get(host) as FakeCluster);
          clusters.byFounder.delete(host);
          cluster?.apiServers.delete(host);
          for (const path of [ADMIN, KUBELET, "/etc/kubernetes"]) machine.removeAll(path);
          return ok();
        case "upgrade":
          if (cluster !== undefined && args[0] === "apply") {
            cluster.version = args.at(-1) ?? "";
            const server = files.get(API_SERVER) ?? "";
            files.set(API_SERVER, server.replace(/kube-apiserver:.*/, `kube-apiserver:${cluster.version}`));
          }
          return ok();
        case "certs":
          files.set(
            "/etc/kubernetes/pki/apiserver.crt",
            `${files.get("/etc/kubernetes/pki/apiserver.crt") ?? ""}renewed `,
          );
          return ok();
        default:
          return no(`kubeadm knows no ${verb}`);
      }
    },
    kubectl: (args, machine) => {
      if (!machine.files.has(ADMIN)) return no("nobody answers");
      const content = JSON.parse(machine.files.get("/var/lib/drover/drill/data") ?? "[]") as string[];
      if (args.includes("secrets")) return readDrill(content, machine);
      if (args.at(-1) !== "/api/v1/namespaces") return ok("ok");
      const names = content.filter(isNamespace);
      return ok(JSON.stringify({ items: names.map((name) => ({ metadata: { name } })) }));
    },
    ...databaseOn(clusters),
    // What runs after a restart is what lies there now.
    systemctl: (args, machine, stdin) => {
      const node = clusters.clusterOf(machine.host)?.nodes.get(machine.host);
      if (args[0] === "restart" && args[1] === "kubelet" && node !== undefined) node.version = versionOn(machine);
      return (LINUX["systemctl"] as Program)(args, machine, stdin);
    },
  };
}

const configOf = (files: ReadonlyMap<string, string>): string => files.get("/var/lib/drover/kubeadm.yaml") ?? "";

/** The API server of a drill reads what it has the keys for. */
function readDrill(content: readonly string[], { files }: FakeMachine): Said {
  const { order } = readConfiguration(files.get("/var/lib/drover/drill/encryption.yaml") ?? "");
  const secrets = content.filter((line) => !isNamespace(line)).map((line) => line.split(" "));
  if (secrets.some(([, , key = ""]) => !order.includes(key))) return no("no matching key was found");
  return ok(secrets.map(([, id]) => `secret/${id}\n`).join(""));
}

/** What kubeadm tells an API server of a database that is not its own. */
function etcdServers(files: ReadonlyMap<string, string>): string {
  const [, list] = /endpoints:\n((?: +- .*\n)+)/.exec(configOf(files)) ?? [];
  if (list === undefined) return "";
  return `- --etcd-servers=${list.trim().replaceAll(/^ *- /gm, "").replaceAll("\n", ",")}\n`;
}

const apiServer = (files: ReadonlyMap<string, string>, version: string): string =>
  `${etcdServers(files)}${encryptionArgument(configOf(files))}image: registry.k8s.io/kube-apiserver:${version}\n`;

/** Machines are where their names say, in a network for documentation. */
export function addressOf(name: string): string {
  let number = 7;
  for (const letter of name) number = (number * 31 + letter.charCodeAt(0)) % 60_000;
  return `198.18.${Math.floor(number / 250)}.${(number % 250) + 1}`;
}

export const adminConfig = (founder: string): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "kubernetes", cluster: { server: `https://${addressOf(founder)}:6443` } }],
    users: [{ name: "kubernetes-admin", user: {} }],
  });

/** The API of whichever fake cluster a kubeconfig leads to. */
export function fakeKubernetesApi(clusters: FakeClusters): KubernetesApi {
  const find = (kubeconfig: string): FakeCluster => {
    const founder = [...clusters.byFounder.keys()].find((name) => kubeconfig.includes(`https://${addressOf(name)}:`));
    const cluster = clusters.byFounder.get(founder ?? "");
    if (cluster === undefined) throw new KubernetesError("unreachable", "Nobody answers.");
    return cluster;
  };
  const show = ({ unready }: FakeCluster, name: string, node: FakeNode) => ({
    metadata: { name, annotations: node.annotations, labels: node.labels },
    spec: { unschedulable: node.unschedulable, taints: node.taints },
    status: {
      nodeInfo: { kubeletVersion: node.version },
      conditions: [{ type: "Ready", status: unready.has(name) ? "False" : "True" }],
    },
  });
  const nameIn = (path: string) => /^\/api\/v1\/nodes\/([^/]+)$/.exec(path)?.[1] ?? "";
  return {
    look: async ({ kubeconfig }) => {
      const { nodes, version } = find(kubeconfig);
      const none = { capacity: 1, used: null };
      const seen = [...nodes].map(
        ([name, node]): NodeSeen => ({
          ...{ name, version: node.version, address: null, roles: [], cpu: none, memory: none, pods: none },
          status: node.unschedulable ? "Cordoned" : "Ready",
        }),
      );
      const certificates = { server: null, client: null };
      return {
        ready: true,
        version,
        endpoint: "https://x",
        nodes: seen,
        useFrom: null,
        unwellPods: [],
        withheld: [],
        certificates,
      };
    },
    get: async ({ kubeconfig }, path) => {
      const cluster = find(kubeconfig);
      const { nodes } = cluster;
      if (path === "/api/v1/nodes") return { items: [...nodes].map(([name, node]) => show(cluster, name, node)) };
      if (path.startsWith("/api/v1/pods")) return { items: [] };
      const secrets = getSecrets(cluster, path);
      if (secrets !== undefined) return secrets;
      const node = nodes.get(nameIn(path));
      return node === undefined ? null : show(cluster, nameIn(path), node);
    },
    patch: async ({ kubeconfig }, path, body) => {
      const secret = secretIn(path);
      if (secret !== null) {
        writeSecret(find(kubeconfig), secret);
        return {};
      }
      const node = find(kubeconfig).nodes.get(nameIn(path));
      const patch = body as {
        spec?: { unschedulable?: boolean | null; taints?: readonly object[] };
        metadata?: Partial<FakeNode>;
      };
      if (node === undefined) throw new KubernetesError("refused", "There is no such node.", 404);
      if (patch.spec !== undefined && "unschedulable" in patch.spec)
        node.unschedulable = patch.spec.unschedulable === true;
      node.taints = patch.spec?.taints ?? node.taints;
      for (const [key, value] of Object.entries(patch.metadata?.annotations ?? {})) {
        if (value === null) delete node.annotations[key];
        else node.annotations[key] = value;
      }
      Object.assign(node.labels, patch.metadata?.labels ?? {});
      return {};
    },
    post: async () => ({}),
    delete: async ({ kubeconfig }, path) => {
      const { nodes, secrets } = find(kubeconfig);
      const secret = secretIn(path);
      return secret === null ? nodes.delete(nameIn(path)) : secrets.delete(secret);
    },
  };
}

export const AUTHORITY = new Authority().cert;
