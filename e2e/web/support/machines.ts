import type { MachineFacts, MachineState } from "@drover/contract";
import type { Place } from "../../support/place.ts";
import { inDatabase } from "./store-file.ts";

const GIBIBYTE = 2 ** 30;
const NEVER = 9e15;

const FACTS: MachineFacts = {
  os: { id: "debian", version: "12", title: "Debian GNU/Linux 12 (bookworm)" },
  ...{ architecture: "amd64", kernel: "6.1.0-32-amd64", cpus: 4, memoryBytes: 8 * GIBIBYTE, swapBytes: 0 },
  disks: [{ mount: "/", device: "/dev/vda1", totalBytes: 100 * GIBIBYTE, freeBytes: 62 * GIBIBYTE }],
  ...{ addresses: [], interfaces: [], defaultRoute: { interface: "eth0", gateway: "10.20.0.1" } },
  ...{ hostname: null, machineId: null, productUuid: null, container: null, packageManager: "apt-get" },
  ...{ init: "systemd", clockSkewMs: 4, cgroup: "v2", selinux: "disabled", apparmor: true, root: true },
  listening: [{ port: 22, address: "0.0.0.0" }],
  software: { containerd: "1.7.24", kubelet: null, kubeadm: null, k3s: null, traces: [], mark: null },
  programs: { ip: true, iptables: true, mount: true, nsenter: true, conntrack: true, tar: true, sha256sum: true },
  modules: { overlay: true, br_netfilter: true },
  sysctls: { "net.ipv4.ip_forward": "1" },
};

interface Told {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly state?: MachineState;
  readonly reason?: string;
  readonly message?: string;
  /** Null where nobody has seen it yet. */
  readonly facts?: Partial<MachineFacts> | null;
  readonly offeredKey?: string;
}

const FINGERPRINT = "SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8";
const OTHER_FINGERPRINT = "SHA256:uNiVztksCsDhcc0u9e8BrJQXVUpKZIDTMczCvj3tD2s";

/** Machines as a company may have them: most are well, and of everything that can be wrong there is one. */
const SOME: readonly Told[] = [
  { name: "rack-a-1", labels: { rack: "a" } },
  { name: "rack-a-2", labels: { rack: "a" } },
  { name: "rack-a-3", labels: { rack: "a" }, facts: { swapBytes: 2 * GIBIBYTE, cpus: 1 } },
  { name: "rack-b-1", labels: { rack: "b" }, facts: { clockSkewMs: 5_200 } },
  {
    ...{ name: "rack-b-2", labels: { rack: "b" } },
    facts: { software: { ...FACTS.software, mark: { clusterId: "c-7", clusterName: "billing" } } },
  },
  {
    ...{ name: "rack-b-3", labels: { rack: "b" } },
    facts: { software: { ...FACTS.software, kubelet: "v1.31.2", traces: ["/etc/kubernetes/kubelet.conf"] } },
  },
  {
    ...{ name: "rack-c-1", labels: { rack: "c" }, state: "Unreachable", reason: "timed-out" },
    message: "10.20.0.7:22 did not answer within 10 s. Check that it is switched on and that no firewall is between.",
  },
  {
    ...{ name: "rack-c-2", labels: { rack: "c" }, state: "KeyChanged", reason: "host-key-changed" },
    ...{ message: "It shows another host key than the pinned one.", offeredKey: OTHER_FINGERPRINT },
  },
  {
    ...{ name: "rack-c-3", labels: { rack: "c" }, state: "Denied", reason: "sudo-refused" },
    message: "The user debian may not become root: sudo asks for a password.",
  },
  { name: "rack-d-1", labels: { rack: "d" }, state: "Pending", facts: null },
];

/** Puts them where the server finds them, and has no worker look for them: nobody is at these addresses. */
function putMachines(place: Place, network: string, machines: readonly Told[]): void {
  inDatabase(place, (database) => {
    const now = Date.now();
    database.exec("begin immediate");
    for (const [at, machine] of machines.entries()) {
      const address = `${network}.${Math.floor(at / 250)}.${(at % 250) + 1}`;
      const row = describeRow(machine, address, now);
      const columns = Object.keys(row);
      const places = columns.map(() => "?").join(", ");
      database.run(`insert into machines (${columns.join(", ")}) values (${places})`, Object.values(row));
      for (const [key, value] of Object.entries(machine.labels ?? {})) {
        database.run("insert into machine_labels (machine_id, key, value) values (?, ?, ?)", [row.id, key, value]);
      }
    }
    database.exec("commit");
  });
}

function describeRow(
  { name, labels = {}, state = "Reachable", facts = {}, ...more }: Told,
  address: string,
  now: number,
) {
  const pin = (fingerprint: string) => ({ fingerprint, type: "ssh-ed25519" });
  const known = facts === null ? null : { ...FACTS, hostname: name, machineId: `id-${name}`, ...facts };
  const access = { user: "debian", credential: { name: "machines" }, sudo: { mode: "passwordless" } };
  return {
    ...{ id: `m-${name}`, name, address, port: 22, access: JSON.stringify(access), labels: JSON.stringify(labels) },
    search_text: [name, address, ...Object.entries(labels).map((pair) => pair.join("="))].join(" "),
    version: 1,
    host_key: facts === null ? null : JSON.stringify({ ...pin(FINGERPRINT), origin: "first-contact", at: now }),
    bastion_host_key: null,
    offered_key: more.offeredKey === undefined ? null : JSON.stringify({ of: "machine", ...pin(more.offeredKey) }),
    ...{ state, reason: more.reason ?? null, message: more.message ?? "" },
    ...{ looked_at: facts === null ? null : now, facts: known === null ? null : JSON.stringify(known) },
    ...{ facts_at: facts === null ? null : now, failures: 0, due_at: NEVER, asked: 0, leased_until: 0, token: 0 },
    ...{ created_at: now, updated_at: now, updated_by: "ada" },
  };
}

async function storeKey(place: Place): Promise<void> {
  place.write("id_ed25519", "not a key\n");
  await place.must("secret", "set", "machines", "--from-file", "privateKey=id_ed25519");
}

export async function makeSomeMachines(place: Place): Promise<void> {
  await storeKey(place);
  putMachines(place, "10.20", SOME);
}

/** As many, and nothing is wrong with any of them. */
export async function makeManyMachines(place: Place, count: number): Promise<void> {
  await storeKey(place);
  const named = (at: number) =>
    `rack-${String(Math.floor(at / 20)).padStart(3, "0")}-${String(at % 20).padStart(2, "0")}`;
  putMachines(
    place,
    "10.30",
    Array.from({ length: count }, (_, at) => ({ name: named(at), labels: { rack: String(Math.floor(at / 20)) } })),
  );
}
