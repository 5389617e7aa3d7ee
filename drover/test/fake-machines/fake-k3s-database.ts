import type { FakeClusters } from "./fake-clusters.ts";
import { addressOf } from "./fake-kubeadm.ts";
import { type FakeMachine, no, ok, type Program, textOf } from "./fake-machine.ts";
import { makeSnapshot } from "./make-snapshot.ts";

const ETCD = "/var/lib/rancher/k3s/server/db/etcd";
const RUNNING = "the database of a cluster";
const DRILL_UNIT = "drover-drill";

interface Saved {
  readonly namespaces: readonly string[];
  /** What opens the authorities in it. */
  readonly token: string;
}

const secretIn = (text: string | undefined): string =>
  (/K3S_TOKEN="(.*)"/.exec(text ?? "")?.[1] ?? "").split(":").at(-1) ?? "";

/** The database of a fake cluster of k3s: its namespaces, and what its servers have of it on their disks. */
export class FakeK3sDatabase {
  readonly #clusters: FakeClusters;
  /** By the founder. */
  readonly #tokens: ReadonlyMap<string, string>;
  /** By their content. */
  readonly #snapshots = new Map<string, Saved>();
  #saves = 0;

  constructor(clusters: FakeClusters, tokens: ReadonlyMap<string, string>) {
    this.#clusters = clusters;
    this.#tokens = tokens;
  }

  run({ files }: FakeMachine): void {
    files.set(ETCD, RUNNING);
  }

  save({ files, host }: FakeMachine, path: string): void {
    const namespaces = [...(this.#clusters.clusterOf(host)?.namespaces ?? [])];
    this.#saves += 1;
    const changes = namespaces.map((name) => [`/registry/namespaces/${name}`, `${this.#saves}`] as const);
    const text = textOf(makeSnapshot(changes));
    this.#snapshots.set(text, { namespaces, token: this.#tokenOf(host) });
    files.set(path, text);
  }

  #tokenOf(host: string): string {
    const found = [...this.#clusters.byFounder].find(([, { nodes }]) => nodes.has(host));
    return this.#tokens.get(found?.[0] ?? "") ?? "";
  }

  /** A cluster of a server that nobody knows: what is on its disk, or nothing. */
  begin(machine: FakeMachine): void {
    if (machine.files.has(ETCD)) this.start(machine, "");
    this.run(machine);
  }

  /** What a server that starts finds on its disk is what the cluster is; with nothing there it joins, or begins anew. */
  start(machine: FakeMachine, joinConfig: string): boolean {
    const { files, host } = machine;
    const cluster = this.#clusters.clusterOf(host);
    const found = files.get(ETCD);
    const saved = this.#snapshots.get(found ?? "");
    if (cluster !== undefined && found === undefined && joinConfig.includes("cluster-init: true")) {
      cluster.namespaces.clear();
    } else if (cluster !== undefined && saved !== undefined) {
      cluster.namespaces.clear();
      for (const name of saved.namespaces) cluster.namespaces.add(name);
    } else if (found === undefined && !this.#answers(joinConfig)) {
      return false;
    }
    this.run(machine);
    return true;
  }

  #answers(joinConfig: string): boolean {
    return [...this.#clusters.byFounder.keys()].some((name) => joinConfig.includes(`https://${addressOf(name)}:`));
  }

  readonly programs: Readonly<Record<string, Program>> = {
    "drover-empty-k3s-database": ([folder = "", old = ""], machine) => {
      if (machine.units.get("k3s")?.active === true) return no("k3s was started by somebody else");
      const isKept = machine.has(old);
      for (const [path, text] of [...machine.files]) {
        if (!path.startsWith(`${folder}/`) || path.startsWith(`${old}/`) || path.startsWith(`${folder}/snapshots/`)) {
          continue;
        }
        if (!isKept) machine.files.set(`${old}${path.slice(folder.length)}`, text);
        machine.files.delete(path);
      }
      return ok();
    },
    "drover-reset-k3s": ([, snapshot = "", , , secrets = ""], { files, units }) => {
      const saved = this.#snapshots.get(files.get(snapshot) ?? "");
      if (units.get("k3s")?.active === true) return no("level=fatal the server is running");
      if (saved === undefined || files.has(ETCD)) return no("level=fatal there is no snapshot, or a database");
      if (secretIn(files.get(secrets)) !== saved.token) return no("level=fatal it is encrypted with another token");
      files.set(ETCD, files.get(snapshot) ?? "");
      return ok();
    },
    "drover-start-k3s-drill": (_args, { units }) => {
      units.set(DRILL_UNIT, { enabled: false, active: true });
      return ok();
    },
    "drover-ask-k3s-drill": ([folder = ""], { files, units }) => {
      if (units.get(DRILL_UNIT)?.active !== true) return no();
      const saved = this.#snapshots.get(files.get(`${folder}/snapshot.db`) ?? "");
      if (saved === undefined || secretIn(files.get(`${folder}/token.env`)) !== saved.token) {
        return { exitCode: 3, stdout: "", stderr: "level=fatal it is encrypted with another token" };
      }
      return ok(JSON.stringify({ items: saved.namespaces.map((name) => ({ metadata: { name } })) }));
    },
    "drover-clear-k3s-drill": ([folder = ""], machine) => {
      machine.units.delete(DRILL_UNIT);
      machine.removeAll(folder);
      return ok();
    },
  };
}
