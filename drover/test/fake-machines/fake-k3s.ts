import { FakeCluster, type FakeClusters } from "./fake-clusters.ts";
import { FakeK3sDatabase } from "./fake-k3s-database.ts";
import { AUTHORITY, addressOf, adminConfig } from "./fake-kubeadm.ts";
import { type FakeMachine, no, ok, type Program, type Said } from "./fake-machine.ts";

const PROGRAM = "/usr/local/bin/k3s";
const JOIN = "/etc/rancher/k3s/config.yaml.d/drover-join.yaml";
const ADMIN = "/etc/rancher/k3s/k3s.yaml";
const TOKEN = "/var/lib/rancher/k3s/server/node-token";
const AUTHORITY_FILE = "/var/lib/rancher/k3s/server/tls/server-ca.crt";
const AUTHORITY_HASH = "K10abc::server:";

const IMAGES = "/var/lib/rancher/k3s/agent/images";

/** Archives of fakes have the names of their images in them. */
const imagesOn = ({ files }: FakeMachine): string =>
  [...files].flatMap(([path, text]) => (path.startsWith(`${IMAGES}/`) ? [`${text}\n`] : [])).join("");

const versionOn = ({ files }: FakeMachine): string => (files.get(PROGRAM) ?? "").replace(/^k3s /, "");
export const tokenOn = ({ files }: FakeMachine, unit: string): string =>
  /K3S_TOKEN="(.*)"/.exec(files.get(`/etc/systemd/system/${unit}.service.env`) ?? "")?.[1] ?? "";

/** k3s and our scripts that start and end it, as far as steps can tell. */
export function k3sOn(clusters: FakeClusters): Readonly<Record<string, Program>> {
  /** By the founder. */
  const tokens = new Map<string, string>();
  const database = new FakeK3sDatabase(clusters, tokens);
  /** What a server has on its disk again when it starts. */
  const identify = (machine: FakeMachine, unit: string): void => {
    const founder = [...clusters.byFounder].find(([, { nodes }]) => nodes.has(machine.host))?.[0] ?? "";
    machine.files.set(ADMIN, adminConfig(founder));
    machine.files.set(AUTHORITY_FILE, AUTHORITY);
    machine.files.set(TOKEN, `${AUTHORITY_HASH}${tokenOn(machine, unit).split(":").at(-1)}\n`);
  };
  const begin = (machine: FakeMachine, unit: string): Said => {
    const { host } = machine;
    const made = new FakeCluster();
    made.version = versionOn(machine);
    made.nodes.set(host, { ...clusters.newNode(made.version), labels: MEMBER });
    clusters.byFounder.set(host, made);
    tokens.set(host, tokenOn(machine, unit).split(":").at(-1) ?? "");
    identify(machine, unit);
    database.begin(machine);
    return ok();
  };
  const join = (machine: FakeMachine, unit: string, text: string): Said => {
    const { files, host } = machine;
    const founder = [...clusters.byFounder.keys()].find((name) => text.includes(`https://${addressOf(name)}:6443`));
    const joined = clusters.byFounder.get(founder ?? "");
    if (joined === undefined || founder === undefined) return no("level=fatal there is no such server");
    const token = tokenOn(machine, unit);
    if (token !== `${AUTHORITY_HASH}${tokens.get(founder)}`) return no("level=fatal the token is wrong");
    const isServer = unit === "k3s";
    joined.nodes.set(host, { ...clusters.newNode(versionOn(machine)), labels: isServer ? MEMBER : {} });
    if (isServer) {
      files.set(ADMIN, adminConfig(founder));
      files.set(TOKEN, `${token}\n`);
      files.set(AUTHORITY_FILE, AUTHORITY);
      database.run(machine);
    }
    return ok();
  };
  return {
    uname: () => ok("x86_64\n"),
    find: ([folder = "", ...args], machine) => {
      const name = args[args.indexOf("-name") + 1]?.replace(/\*$/, "") ?? "";
      const kept = args.includes("-path") ? args[args.indexOf("-path") + 1] : "";
      const found = [...machine.files.keys()].filter((path) => path.startsWith(`${folder}/${name}`) && path !== kept);
      if (args.includes("-delete")) for (const path of found) machine.files.delete(path);
      return ok(found.map((path) => `${path}\n`).join(""));
    },
    k3s: (args, machine) => {
      if (args[0] === "--version") return ok(`k3s version ${versionOn(machine)} (abc)\n`);
      if (args[0] === "ctr") return ok(imagesOn(machine));
      if (args[0] === "crictl") {
        machine.files.set(`${IMAGES}/pulled`, `${machine.files.get(`${IMAGES}/pulled`) ?? ""}${args.at(-1)}\n`);
        return ok();
      }
      if (args[0] === "kubectl") {
        // A server whose node is gone is out of the database, as a rule.
        const isIn = clusters.clusterOf(machine.host) !== undefined || clusters.clinging.has(machine.host);
        const isServing = machine.units.get("k3s")?.active === true && isIn;
        return isServing ? ok("ok") : no("nobody answers");
      }
      if (args[0] !== "etcd-snapshot") return no(`k3s knows no ${args[0]}`);
      const value = (name: string) => args[args.indexOf(name) + 1] ?? "";
      if (args[1] === "save") {
        database.save(machine, `${value("--etcd-snapshot-dir")}/${value("--name")}-${machine.host}-1`);
      }
      return ok();
    },
    ...database.programs,
    "drover-start-k3s": ([unit = ""], machine) => {
      const { host, files, units } = machine;
      const cluster = clusters.clusterOf(host);
      const node = cluster?.nodes.get(host);
      const text = files.get(JOIN) ?? "";
      if (cluster !== undefined && node !== undefined) {
        node.version = versionOn(machine);
        if (unit === "k3s") cluster.version = node.version;
        if (unit === "k3s" && !database.start(machine, text)) return no("level=fatal it cannot join");
        if (unit === "k3s") identify(machine, unit);
      } else {
        const said = text.includes("cluster-init: true") ? begin(machine, unit) : join(machine, unit, text);
        if (said.exitCode !== 0) return said;
      }
      units.set(unit, { enabled: true, active: true });
      clusters.clinging.delete(host);
      return ok();
    },
    "drover-tell-k3s-complaints": () => ok(),
    "drover-place-k3s": ([from = "", to = ""], { files }) => {
      const text = files.get(from);
      if (text !== undefined && from !== to) {
        files.set(to, text);
        files.delete(from);
      }
      return ok();
    },
    "drover-clear-k3s": (_args, machine) => {
      clusters.byFounder.delete(machine.host);
      const node = clusters.clusterOf(machine.host)?.nodes.get(machine.host);
      const isMember = node !== undefined && "node-role.kubernetes.io/etcd" in node.labels;
      if (isMember || clusters.clinging.has(machine.host)) clusters.missedMembers.add(machine.host);
      for (const unit of ["k3s", "k3s-agent"]) machine.units.delete(unit);
      return ok();
    },
    "drover-forget-k3s-attempt": ([data = "", , ...paths], machine) => {
      for (const path of [`${data}/server`, ...paths]) machine.removeAll(path);
      return ok();
    },
  };
}

const MEMBER = { "node-role.kubernetes.io/etcd": "true" };
