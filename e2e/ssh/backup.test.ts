import { describe, expect, it } from "vitest";
import { describeOnMachines } from "./support/documents.ts";
import { MACHINES, type Machine, OLDER, onMachine } from "./support/machines.ts";
import { expectRestore, expectRestoreAfterKill, openShop } from "./support/shop.ts";
import { useMachines } from "./support/world.ts";

/** Three machines make three control planes, two make one and a worker. */
const controlPlanes = MACHINES.length >= 3 ? MACHINES.slice(0, 3) : MACHINES.slice(0, 1);
const workers = MACHINES.length >= 3 ? [] : MACHINES.slice(1, 2);
const all = [...controlPlanes, ...workers];
const first = controlPlanes[0] as Machine;
const world = useMachines("e2e-backup", all);

describe("the database of a cluster on machines", () => {
  it("is made, of as many members as there are control planes", async () => {
    const endpoint = { type: "given", host: first.address, port: 6443 };
    const ssh = controlPlanes.length > 1 ? { endpoint, schedulableControlPlane: true } : {};
    await world.make(describeOnMachines(world.name, { version: OLDER, controlPlanes, workers, ssh }));
    await world.settle();
    expect(await world.listBackups()).toEqual([]);
  });

  it("is backed up with its keys, which nobody can read", async () => {
    await openShop(world);
    await world.timed("backup", "cluster", world.name, "--wait");
    const [backup] = await world.listBackups();
    expect(backup?.objects).toMatchObject({ namespaces: 6 });
    const folder = `data/backups/${world.name}/${backup?.id}`;
    expect(world.place.read(`${folder}/keys.sealed`)).not.toMatch(/BEGIN|PRIVATE/);
    expect(JSON.parse(world.place.read(`${folder}/manifest.json`))).toMatchObject({ id: backup?.id, format: 1 });
    expect(await onMachine(first, "ls /var/lib/drover")).not.toContain("backups");
  });

  it("is proven by a drill beside the cluster, which leaves nothing behind", async () => {
    const containers = "ctr -n k8s.io containers ls -q | grep drover-drill || true";
    await world.timed("backup", "drill", world.name, "--wait");
    const [backup] = await world.listBackups();
    process.stdout.write(`${backup?.drill?.message}\n`);
    expect(backup?.drill).toMatchObject({ passed: true });
    for (const machine of controlPlanes) {
      expect(await onMachine(machine, `${containers}; ls /var/lib/drover`)).not.toMatch(/drill/);
    }
  });

  it("comes back as it was, and the cluster goes on", async () => {
    await expectRestore(world);
    const members = await onMachine(
      first,
      "cd /etc/kubernetes/pki/etcd; etcdctl --endpoints https://127.0.0.1:2379 --cacert ca.crt --cert server.crt --key server.key member list",
    );
    expect(members.trim().split("\n")).toHaveLength(controlPlanes.length);
    for (const machine of controlPlanes) {
      expect(await onMachine(machine, "ls /var/lib/etcd /var/lib/drover")).not.toMatch(/restore/);
    }
  });

  it("has a Drover that was killed in the middle of a restore go on with it", async () => {
    await expectRestoreAfterKill(world, first);
  });
});

describe("the certificates of its control planes", () => {
  it("are listed with when they end, and are others after they were renewed", async () => {
    const { old, serialNow } = await world.renewCertificates();
    expect(old.filter((one) => one.node === first.name && !one.authority).length).toBeGreaterThan(8);
    for (const one of old) {
      if (one.authority) expect(serialNow(one), `${one.node} ${one.name}`).toBe(one.serial);
      else expect(serialNow(one), `${one.node} ${one.name}`).not.toBe(one.serial);
    }
    const shown = await onMachine(first, "crictl ps -q --name '^kube-apiserver$' | wc -l");
    expect(shown.trim()).toBe("1");
  });
});

describe("its end", () => {
  it("leaves the machines as they were found, and the backup where it is", async () => {
    await world.delete();
    await world.expectAsFound();
  });
});
