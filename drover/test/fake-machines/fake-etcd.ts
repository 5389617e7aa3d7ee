import { makeTar } from "../../src/lib/tar.ts";
import type { FakeClusters } from "./fake-clusters.ts";
import { countWritten, isNamespace, loadSecrets, secretsIn, startApiServer } from "./fake-encryption.ts";
import { type FakeMachine, no, ok, type Program } from "./fake-machine.ts";

const MANIFESTS = "/etc/kubernetes/manifests";
const DATA = "/var/lib/etcd";
const DRILL = "/var/lib/drover/drill/data";

/** As kubeadm writes them, as far as anybody reads them; etcd is not among them where it runs elsewhere. */
export function startControlPlane({ files, host }: FakeMachine, hasEtcd: boolean): void {
  if (hasEtcd) {
    files.set(
      `${MANIFESTS}/etcd.yaml`,
      `- --data-dir=${DATA}\n- --name=${host}\n- --initial-advertise-peer-urls=https://${host}:2380\nimage: etcd:1\n`,
    );
  }
  for (const name of ["kube-controller-manager", "kube-scheduler"])
    files.set(`${MANIFESTS}/${name}.yaml`, `image: ${name}\n`);
}

const manifestOf = (name: string): string => `${MANIFESTS}/${name}.yaml`;

/** The database of a fake cluster: its namespaces. It runs while its manifest lies there. */
export function databaseOn(clusters: FakeClusters): Readonly<Record<string, Program>> {
  const contentOf = (host: string): string => {
    const cluster = clusters.clusterOf(host);
    return JSON.stringify(cluster === undefined ? [] : [...cluster.namespaces, ...secretsIn(cluster)]);
  };
  const isDrill = (args: readonly string[]) => args.some((arg) => arg.includes(":12379"));
  return {
    etcdctl: (args, machine) => {
      const runs = isDrill(args) ? machine.files.has(`${DRILL}/running`) : machine.files.has(manifestOf("etcd"));
      if (!runs) return no("nobody answers");
      if (args.includes("save")) machine.files.set(args.at(-1) ?? "", contentOf(machine.host));
      return ok();
    },
    etcdutl: (args, machine) => {
      const [, verb, path = ""] = args;
      const content = machine.files.get(path);
      if (content === undefined) return no("there is no such snapshot");
      if (verb === "status") return ok(JSON.stringify({ hash: content.length, revision: 7, totalKey: content.length }));
      machine.files.set(DRILL, content);
      return ok();
    },
    nice: ([, , program = "", ...args], machine, stdin) => {
      const own = databaseOn(clusters)[program.split("/").at(-1) ?? ""];
      return own === undefined ? no(`no ${program}`) : own(args, machine, stdin);
    },
    tar: (args, machine) => {
      const from = args[args.indexOf("-xpf") + 1] ?? "";
      if (args.includes("-xpf")) return machine.files.has(from) ? ok() : no("there are no keys");
      // The fake machines have few keys of authorities: such as they would be are put in.
      const entries = args.flatMap((name) => {
        const content = machine.files.get(`/${name}`) ?? (name.includes("/pki/") ? "x" : null);
        return content === null || !name.startsWith("etc/") ? [] : [{ name, content }];
      });
      machine.files.set(args[args.indexOf("-cf") + 1] ?? "", Buffer.from(makeTar(entries, 0)).toString());
      return ok();
    },
    crictl: (args, { files }) => {
      const name = (args.at(-1) ?? "").replace(/[$^]/g, "");
      return ok(files.has(manifestOf(name)) ? "abc\n" : "");
    },
    "drover-count-objects": (args, machine) => {
      const content = isDrill(args) ? (machine.files.get(DRILL) ?? "[]") : contentOf(machine.host);
      const lines = JSON.parse(content) as string[];
      const namespaces = lines.filter(isNamespace).length;
      const secrets = lines.length - namespaces;
      return ok(`namespaces ${namespaces}\n${secrets === 0 ? "" : `secrets ${secrets}\n`}`);
    },
    "drover-count-written": countWritten(clusters),
    "drover-stop-components": ([aside = "", ...names], { files, host }) => {
      for (const name of names) move(files, manifestOf(name), `${aside}/${name}.yaml`);
      if (names.includes("kube-apiserver")) clusters.clusterOf(host)?.apiServers.delete(host);
      return ok();
    },
    "drover-start-components": ([aside = "", ...names], machine) => {
      for (const name of names) {
        move(machine.files, `${aside}/${name}.yaml`, manifestOf(name));
        if (!machine.files.has(manifestOf(name))) return no(`the manifest of ${name} is lost`);
        if (name === "etcd") loadDatabase(clusters, machine);
        if (name === "kube-apiserver") startApiServer(clusters.clusterOf(machine.host), machine);
      }
      return ok();
    },
    "drover-restore-etcd": ([, snapshot = "", data = ""], { files }) => {
      files.set(`${data}/member`, files.get(snapshot) ?? "");
      return ok();
    },
    "drover-clear-drill": ([folder = ""], machine) => {
      machine.removeAll(folder);
      return ok();
    },
    "drover-start-drill-etcd": ([folder = ""], { files }) => {
      files.set(`${folder}/data/running`, "x");
      return ok();
    },
    "drover-start-drill-member": ([folder = ""], { files }) => {
      files.set(`${folder}/data/running`, "x");
      return ok();
    },
    "drover-start-drill-api": () => ok(),
    "drover-list-certificates": (_args, { files }) => {
      const isListed = (path: string) =>
        /^(\/etc\/(kubernetes\/pki\/ca|drover\/etcd\/.+)|.*\/k3s\/server\/tls\/.+)\.crt$/.test(path);
      const found = [...files].filter(([path]) => isListed(path));
      return ok(found.map(([path, text]) => `== ${path}\n${text.trim()}\n`).join(""));
    },
  };
}

function move(files: Map<string, string>, from: string, to: string): void {
  const text = files.get(from);
  if (text === undefined) return;
  files.set(to, text);
  files.delete(from);
}

/** What a database that starts finds in its folder is what the cluster is. */
export function loadDatabase(clusters: FakeClusters, { files, host }: FakeMachine): void {
  const content = files.get(`${DATA}/member`);
  const cluster = clusters.clusterOf(host);
  if (content === undefined || cluster === undefined) return;
  const lines = JSON.parse(content) as string[];
  cluster.namespaces.clear();
  for (const name of lines.filter(isNamespace)) cluster.namespaces.add(name);
  loadSecrets(cluster, lines);
}
