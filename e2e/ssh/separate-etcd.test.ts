import { describe, expect, it } from "vitest";
import { describeOnMachines } from "./support/documents.ts";
import { MACHINES, type Machine, NEWER, OLDER, onMachine } from "./support/machines.ts";
import { useMachines } from "./support/world.ts";

const [control, database, worker] = MACHINES as readonly [Machine, Machine, Machine];
const all = [control, database, worker];
const world = useMachines("e2e-separate-etcd", all);

async function declare(version: string): Promise<void> {
  const node = (machine: Machine, ...roles: readonly string[]) => ({
    ...{ name: machine.name, address: machine.address, roles },
  });
  const nodes = [node(control, "controlplane"), node(database, "worker", "etcd"), node(worker, "worker")];
  const ssh = { nodes, etcd: { topology: "separate" } };
  await world.make(describeOnMachines(world.name, { version, controlPlanes: [control], workers: [], ssh }));
}

const etcdVersion = async () => /etcd Version: (\S+)/.exec(await onMachine(database, "etcd --version"))?.[1];

describe("a cluster whose etcd runs apart from the API servers", () => {
  it("is made, with etcd on a worker and none on the control plane", async () => {
    await declare(OLDER);
    await world.cluster.waitForNodes(3);
    expect(await onMachine(database, "systemctl is-active drover-etcd kubelet")).toBe("active\nactive\n");
    expect(await onMachine(control, "ls /etc/kubernetes/manifests")).not.toContain("etcd");
    expect(await onMachine(control, "grep etcd-servers= /etc/kubernetes/manifests/kube-apiserver.yaml")).toContain(
      `https://${database.address}:2379`,
    );
    expect(await onMachine(database, "ls -l /etc/drover/etcd/pki/ca.key")).toMatch(/^-rw------- /);
  });

  it("keeps what was written when etcd is ended and comes back", async () => {
    await world.kubectl("create", "namespace", "kept");
    await onMachine(database, "systemctl kill -s KILL drover-etcd");
    await world.cluster.waitForNodes(3);
    expect(await world.kubectl("get", "namespace", "kept", "-o", "name")).toContain("kept");
  });

  it("is backed up, proven beside its database, and taken back", async () => {
    await world.timed("backup", "cluster", world.name, "--wait");
    await world.timed("backup", "drill", world.name, "--wait");
    const [backup] = await world.listBackups();
    process.stdout.write(`${backup?.drill?.message}\n`);
    expect(backup?.drill).toMatchObject({ passed: true });
    expect(await onMachine(database, "ls /var/lib/drover; ps -e -o args=")).not.toMatch(/drill|backups/);
    await world.kubectl("delete", "namespace", "kept", "--wait");
    await world.kubectl("create", "namespace", "later");
    await world.timed("restore", world.name, "--backup", backup?.id ?? "", "--yes", "--wait");
    await world.cluster.waitForNodes(3);
    const namespaces = await world.kubectl("get", "namespaces", "-o", "name");
    expect(namespaces).toContain("kept");
    expect(namespaces).not.toContain("later");
    expect(await onMachine(database, "systemctl is-enabled drover-etcd; ls /var/lib/etcd")).toBe("enabled\nmember\n");
  });

  it("is upgraded, etcd before the control plane", async () => {
    const older = await etcdVersion();
    await declare(NEWER);
    await world.cluster.waitForNodes(3);
    expect(await etcdVersion()).not.toBe(older);
    expect(await onMachine(database, "ls /var/lib/drover/snapshots")).toContain(`before-${NEWER}`);
    expect(await world.kubectl("get", "namespace", "kept", "-o", "name")).toContain("kept");
    const job = await world.newestJob();
    const at = (title: string) => Date.parse(job?.steps.find((step) => step.title === title)?.finishedTime ?? "");
    expect(at(`Change etcd on ${database.name}`)).toBeLessThan(at(`Upgrade ${control.name}`));
  });

  it("is deleted, and every machine is as it was found", async () => {
    await world.delete();
    await world.expectAsFound();
  });
});
