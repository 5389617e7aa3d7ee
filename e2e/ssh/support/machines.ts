import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseHostKey } from "../../../drover/src/connectors/ssh/host-key.ts";
import { SshPool } from "../../../drover/src/connectors/ssh/ssh-pool.ts";
import { Place } from "../../support/place.ts";

/** One machine that the tests may do with as they like; it is given back as it was. */
export interface Machine {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly user: string;
  /** The file with its private key. */
  readonly key: string;
  /** Its public host key. */
  readonly hostKey: string;
}

export const MACHINES: readonly Machine[] = JSON.parse(required("DROVER_E2E_MACHINES"));
export const ARTIFACTS = required("DROVER_E2E_ARTIFACTS");
/** For tests of k3s alone. */
export const k3sArtifacts = (): string => required("DROVER_E2E_K3S_ARTIFACTS");
export const WEB_IMAGE = required("DROVER_E2E_WEB_IMAGE");
export const [NEWER = "", OLDER = ""] = required("DROVER_E2E_KUBERNETES").split(",");

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") throw new Error(`${name} is not set; e2e/README.md says what to set.`);
  return value;
}

const pool = new SshPool();
export const closeConnections = (): void => pool.close();

/** As root, by a shell of the machine. */
export async function onMachine(machine: Machine, script: string): Promise<string> {
  const connector = pool.connect(
    {
      ...{ host: machine.address, port: machine.port, user: machine.user },
      credentials: { privateKeys: [{ key: readFileSync(machine.key, "utf8") }] },
      hostKeys: [parseHostKey(machine.hostKey)],
    },
    "root",
  );
  const { exitCode, stdout, stderr } = await connector.run({ argv: ["sh", "-c", script] }, { keepBytes: 8 << 20 });
  if (exitCode !== 0) throw new Error(`${machine.name}: ${stderr}`);
  return stdout;
}

/** Everything of a node goes at once, as with a machine that was installed anew. */
export const EMPTY_MACHINE = `systemctl stop kubelet
  systemctl stop drover-keepalived drover-haproxy 2>/dev/null
  for task in $(ctr -n k8s.io tasks ls -q); do ctr -n k8s.io tasks kill -s KILL $task; done 2>/dev/null
  sleep 2; systemctl stop containerd; pkill -9 containerd-shim
  awk '$2 ~ "^/var/lib/kubelet/|^/run/containerd/" { print $2 }' /proc/mounts | sort -r | xargs -r umount -l
  find /etc/kubernetes /var/lib/etcd /var/lib/kubelet -mindepth 1 -delete
  rm -rf /etc/drover /var/lib/drover/version /etc/cni/net.d/*; systemctl start containerd`;

/** Everything on a machine that a user could notice: files, units, links, rules, kernel settings. No logs. */
export async function listAll(machine: Machine): Promise<readonly string[]> {
  const text = await onMachine(
    machine,
    `find / -xdev \\( -path /proc -o -path /sys -o -path /dev -o -path /run -o -path /tmp -o -path /var/tmp -o -path /var/log \\
       -o -path /var/lib/systemd -o -path /var/lib/containerd \\) -prune -o -printf '%y %m %u:%g %s %p\\n' |
       sed 's/^\\(d [^ ]* [^ ]*\\) [0-9]* /\\1 /'
     for folder in /var/lib/containerd /var/lib/etcd /var/lib/kubelet /var/lib/rancher; do
       # The databases of snapshotters containerd makes whenever it first looks into them.
       if [ -d $folder ]; then find $folder ! -name metadata.db -printf '%y %m %p\\n'; fi
     done
     systemctl list-unit-files --no-legend --no-pager | awk '{ print "unit file", $1, $2 }'
     systemctl list-units --all --plain --no-legend --no-pager --type=service | awk '{ print "unit", $1, $3, $4 }' | grep -v ' systemd-\\| user@\\| session-'
     ls /sys/class/net | sed 's/^/link /'
     ip route | sed 's/^/route /'
     iptables-save 2>/dev/null | grep -E '^-A|^:(KUBE|CNI|FLANNEL)' | sed 's/^/rule /'
     sysctl net.ipv4.ip_forward net.bridge 2>/dev/null`,
  );
  return text.split("\n").sort();
}

/** A Drover of its own, with the key of the machines as its secret. */
export async function makeMachinesPlace(): Promise<Place> {
  const place = await Place.make({ DROVER_RESYNC_INTERVAL: "5s", DROVER_HEALTH_INTERVAL: "10s" });
  await place.must("up", "--detach");
  const { url, token } = JSON.parse(place.read("data/cli.json")) as { url: string; token: string };
  const answer = await fetch(new URL("api/v1/secrets", url), {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "idempotency-key": "machines" },
    body: JSON.stringify({
      name: "machines",
      entries: { privateKey: readFileSync(MACHINES[0]?.key ?? "", "utf8") },
    }),
  });
  if (!answer.ok) throw new Error(`The secret was not taken: ${answer.status} ${await answer.text()}`);
  return place;
}

/** An image of this host's Docker into the containerd of nodes, as its registry would. */
export async function loadImage(place: Place, machines: readonly Machine[], image: string, ctr = "ctr"): Promise<void> {
  const file = join(place.folder, "image.tar");
  execFileSync("docker", ["save", "-o", file, image]);
  await Promise.all(machines.map((machine) => importImage(machine, file, ctr)));
}

async function importImage(machine: Machine, file: string, ctr: string): Promise<void> {
  const connector = pool.connect({
    ...{ host: machine.address, port: machine.port, user: machine.user },
    credentials: { privateKeys: [{ key: readFileSync(machine.key, "utf8") }] },
    hostKeys: [parseHostKey(machine.hostKey)],
  });
  await connector.sendFile(file, "/tmp/e2e-image.tar");
  await onMachine(machine, `${ctr} -n k8s.io images import /tmp/e2e-image.tar >/dev/null && rm /tmp/e2e-image.tar`);
}

/** What a machine is told about a name of the cluster when it asks the cluster's own name service. */
export async function resolveOn(machine: Machine, dns: string, name: string): Promise<string> {
  return await onMachine(
    machine,
    `printf 'nameserver ${dns}\\n' > /tmp/e2e-resolv; RES_OPTIONS=attempts:1 unshare -m sh -c 'mount --bind /tmp/e2e-resolv /etc/resolv.conf && getent ahostsv4 ${name}'; rm /tmp/e2e-resolv`,
  );
}
