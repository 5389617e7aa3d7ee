import { parseAllDocuments } from "yaml";
import { Authority } from "../fake-kubernetes/certificates.ts";
import type { FakeClusters } from "./fake-clusters.ts";
import { loadDatabase } from "./fake-etcd.ts";
import { type FakeMachine, no, ok, type Program, type Said, sumOf } from "./fake-machine.ts";

const UNIT = "drover-etcd.service";
const DATA = "/var/lib/etcd/member";
const FOLDER = "/etc/drover/etcd";

interface FakeMember {
  readonly id: string;
  name: string;
  readonly peer: string;
  learner: boolean;
  machine: FakeMachine | null;
}

/** A database apart from the API servers, as its members tell of it. */
export class FakeDatabase {
  members: FakeMember[] = [];
  /** So many changes of its members are refused, as by a database that has just started. */
  hesitations = 0;
  readonly authority = new Authority("etcd");
  #count = 0;

  add(name: string, peer: string, learner: boolean): FakeMember {
    this.#count += 1;
    const member: FakeMember = { id: `id${this.#count}`, name, peer, learner, machine: null };
    this.members.push(member);
    return member;
  }

  isWell({ id, machine, learner }: FakeMember): boolean {
    if (machine === null || learner || machine.isCutOff) return false;
    return machine.units.get(UNIT)?.active === true && (machine.files.get(`${DATA}/wal`) ?? "") === id;
  }
}

const clientOf = (peer: string): string => peer.replace(":2380", ":2379");

/** etcd as a service of Drover's, as far as steps can tell; on other machines etcdctl is kubeadm's. */
export function separateEtcdOn(
  database: FakeDatabase,
  clusters: FakeClusters,
  ofKubeadm: Readonly<Record<string, Program>>,
): Readonly<Record<string, Program>> {
  return {
    etcdctl: (args, machine, stdin) => {
      const isDrill = args.some((arg) => arg.includes(":12379"));
      const isMember = machine.units.get(UNIT)?.active === true || machine.has(`${FOLDER}/pki`);
      if (isDrill || !isMember) return (ofKubeadm["etcdctl"] as Program)(args, machine, stdin);
      if (!args.includes("save")) return obey(database, args, machine);
      machine.files.set(args.at(-1) ?? "", JSON.stringify([...(clusters.clusterOf(machine.host)?.namespaces ?? [])]));
      return ok();
    },
    systemctl: (args, machine, stdin) => {
      if (args[0] === "restart" && args.at(-1) === UNIT) {
        loadDatabase(clusters, machine);
        machine.files.delete(DATA);
      }
      return (ofKubeadm["systemctl"] as Program)(args, machine, stdin);
    },
    "drover-make-etcd-certificates": ([folder = "", , config = "", begin], { files }) => {
      if (!files.has(`${folder}/pki/ca.key`)) {
        if (begin !== "begin") return no("The authority is gone.");
        files.set(`${folder}/pki/ca.key`, "the key of the authority");
        files.set(`${folder}/pki/ca.crt`, database.authority.cert);
      }
      const names = namesIn(files.get(config) ?? "");
      for (const name of ["server", "peer"]) issue(database, files, `${folder}/pki/${name}`, names);
      return ok();
    },
    "drover-make-etcd-access": ([folder = "", , , made = ""], { files }) => {
      if (!files.has(`${folder}/pki/ca.key`)) return no("The authority is gone.");
      files.set(`${made}/etcd/ca.crt`, database.authority.cert);
      issue(database, files, `${made}/apiserver-etcd-client`, []);
      return ok();
    },
    "drover-start-etcd": ([stamp = "", kept = "", unit = "", program = ""], machine) => {
      const { files, units } = machine;
      units.set(unit, { enabled: true, active: true });
      files.set(kept, `${stamp} ${sumOf(files.get(program) ?? "")}`);
      return machine.has(DATA) ? ok() : begin(database, machine);
    },
    "drover-end-etcd": ([unit = "", ...paths], machine) => {
      machine.units.delete(unit);
      for (const path of paths) machine.removeAll(path);
      return ok();
    },
    "drover-point-api-server": ([manifest = "", , servers = ""], { files }) => {
      const text = files.get(manifest) ?? "";
      files.set(manifest, text.replace(/--etcd-servers=.*/, `--etcd-servers=${servers}`));
      return ok();
    },
  };
}

const namesIn = (config: string): readonly string[] =>
  parseAllDocuments(config).flatMap((document) => document.toJS()?.etcd?.local?.serverCertSANs ?? []);

function issue(database: FakeDatabase, files: Map<string, string>, path: string, names: readonly string[]): void {
  const isAddress = (name: string) => /^[\d.]+$/.test(name);
  const { cert, key } = database.authority.issue({
    commonName: "etcd",
    addresses: names.filter(isAddress),
    names: names.filter((name) => !isAddress(name)),
  });
  files.set(`${path}.crt`, cert);
  files.set(`${path}.key`, key);
}

/** The first start, without data. */
function begin(database: FakeDatabase, machine: FakeMachine): Said {
  const text = machine.files.get(`${FOLDER}/begin.env`) ?? "";
  const pairs = (/^ETCD_INITIAL_CLUSTER=(.*)$/m.exec(text)?.[1] ?? "").split(",").map((pair) => pair.split("="));
  const [, peer = ""] = pairs.find(([name]) => name === machine.host) ?? [];
  if (text.includes("STATE=new")) database.members = [];
  const own = text.includes("STATE=new")
    ? database.add(machine.host, peer, false)
    : database.members.find((member) => member.peer === peer);
  if (own === undefined || pairs.length !== database.members.length) return no("member count is unequal");
  own.name = machine.host;
  own.machine = machine;
  machine.files.set(`${DATA}/wal`, own.id);
  return ok();
}

function obey(database: FakeDatabase, args: readonly string[], machine: FakeMachine): Said {
  const own = database.members.find((member) => member.machine === machine);
  if (own === undefined || machine.units.get(UNIT)?.active !== true) return no("connection refused");
  const at = args.findIndex((arg) => ["member", "endpoint", "snapshot"].includes(arg));
  const [noun = "", verb = "", subject = ""] = args.slice(at);
  const found = database.members.find(({ id }) => id === subject);
  const after = (name: string) => args[args.indexOf(name) + 1] ?? "";
  switch (`${noun} ${verb}`) {
    case "member list":
      return ok(
        database.members
          .map(({ id, name, peer, learner }) => {
            const client = name === "" ? "" : clientOf(peer);
            return `${id}, ${name === "" ? "unstarted" : "started"}, ${name}, ${peer}, ${client}, ${learner}\n`;
          })
          .join(""),
      );
    case "member add":
    case "member remove":
      if (database.hesitations > 0) {
        database.hesitations -= 1;
        return no("Error: etcdserver: unhealthy cluster");
      }
      if (verb === "remove") {
        database.members = database.members.filter(({ id }) => id !== subject);
        return ok();
      }
      database.add("", after("--peer-urls"), args.includes("--learner"));
      return ok();
    case "member promote":
      if (found === undefined || found.name === "")
        return no("can only promote a learner member which is in sync with leader");
      found.learner = false;
      return ok();
    case "endpoint health": {
      if (!args.includes("json")) return database.isWell(own) ? ok() : no("unhealthy");
      const asked =
        args
          .slice(at)
          .join(" ")
          .match(/https:[^ ,]+/g) ?? [];
      const answers = asked.map((endpoint) => ({
        endpoint,
        health: database.members.some((member) => clientOf(member.peer) === endpoint && database.isWell(member)),
      }));
      return ok(JSON.stringify(answers));
    }
    default:
      return no(`etcdctl knows no ${noun} ${verb}`);
  }
}
