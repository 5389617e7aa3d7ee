import { describe, expect, it } from "vitest";
import { until } from "../docker/support/cluster.ts";
import { describeK3s } from "./support/documents.ts";
import { EMPTY_K3S } from "./support/empty-k3s.ts";
import { artifactsWithImage } from "./support/k3s-artifacts.ts";
import { MACHINES, type Machine, OLDER, onMachine, WEB_IMAGE } from "./support/machines.ts";
import { expectRestore, expectRestoreAfterKill, expectShop, openShop } from "./support/shop.ts";
import { useMachines } from "./support/world.ts";

/** One server and an agent; three servers where DROVER_E2E_K3S_SERVERS says so. */
const servers = process.env.DROVER_E2E_K3S_SERVERS === "3" ? MACHINES.slice(0, 3) : MACHINES.slice(0, 1);
const agents = servers.length === 3 ? [] : MACHINES.slice(1, 2);
const all = [...servers, ...agents];
const first = servers[0] as Machine;
const world = useMachines("e2e-k3s-backup", all);

const tokenOf = async (machine: Machine): Promise<string> =>
  (await onMachine(machine, "cat /var/lib/rancher/k3s/server/token")).trim().split(":").at(-1) ?? "";

describe("the database of a cluster of k3s", () => {
  it("is made, of as many members as there are servers", async () => {
    const endpoint = { type: "given", host: first.address, port: 6443 };
    const location = artifactsWithImage(world.place, WEB_IMAGE);
    const ssh = {
      ...(servers.length > 1 ? { endpoint, schedulableControlPlane: true } : {}),
      ...{ artifacts: { source: "directory", location, offline: true }, preloadImages: [WEB_IMAGE] },
    };
    await world.make(describeK3s(world.name, { version: OLDER, controlPlanes: servers, workers: agents, ssh }));
    await world.settle();
    expect(await world.listBackups()).toEqual([]);
    for (const machine of all) expect(await onMachine(machine, "k3s ctr -n k8s.io images ls -q")).toContain(WEB_IMAGE);
  });

  it("is backed up with its token, which nobody can read", async () => {
    await openShop(world);
    await world.timed("backup", "cluster", world.name, "--wait");
    const [backup] = await world.listBackups();
    expect(backup?.objects).toMatchObject({ namespaces: 5 });
    const folder = `data/backups/${world.name}/${backup?.id}`;
    const token = await tokenOf(first);
    expect(token.length).toBeGreaterThan(20);
    expect(world.place.read(`${folder}/keys.sealed`)).not.toContain(token);
    expect(world.place.read(`${folder}/manifest.json`)).not.toContain(token);
    expect(await world.place.must("logs", backup?.id ?? "")).not.toContain(token);
    expect(await onMachine(first, "ls /var/lib/drover")).not.toContain("backups");
  });

  it("is proven by a drill beside the cluster, which leaves nothing behind and disturbs nothing", async () => {
    const pods = await world.kubectl(
      "get",
      "pods",
      "-A",
      "-o",
      "jsonpath={.items[*].status.containerStatuses[*].containerID}",
    );
    await world.timed("backup", "drill", world.name, "--wait");
    const [backup] = await world.listBackups();
    process.stdout.write(`${backup?.drill?.message}\n`);
    expect(backup?.drill).toMatchObject({ passed: true });
    for (const machine of servers) {
      const left = await onMachine(machine, "ls /var/lib/drover; ps -e -o args=; systemctl list-units --all; mount");
      expect(left).not.toMatch(/drill/);
    }
    expect(
      await world.kubectl("get", "pods", "-A", "-o", "jsonpath={.items[*].status.containerStatuses[*].containerID}"),
    ).toBe(pods);
    expect(await world.kubectl("get", "nodes", "-o", "name")).not.toContain("drill");
  });

  it("comes back as it was, and the cluster goes on", async () => {
    await expectRestore(world);
    const members = await world.kubectl("get", "nodes", "-l", "node-role.kubernetes.io/etcd=true", "-o", "name");
    expect(members.trim().split("\n")).toHaveLength(servers.length);
    expect(await onMachine(first, "ls /var/lib/drover/snapshots")).toContain("before-restore-");
    for (const machine of servers) {
      expect(await onMachine(machine, "ls /var/lib/rancher/k3s/server/db /var/lib/drover")).not.toMatch(
        /old|restore\n/,
      );
      expect(await onMachine(machine, "systemctl is-enabled k3s")).toBe("enabled\n");
    }
  });

  it("has a Drover that was killed in the middle of a restore go on with it", async () => {
    await expectRestoreAfterKill(world, first);
  });
});

describe.runIf(servers.length === 1)("its only server", () => {
  it("comes back from the backup when it was lost with its disk, and its agent has not noticed", async () => {
    const [backup] = await world.listBackups();
    const pods = async () => await onMachine(agents[0] as Machine, "k3s crictl ps -q | sort");
    const running = await pods();
    await onMachine(first, EMPTY_K3S);
    const isSaid = async () => /control-planes-lost/.test(await world.place.must("describe", world.name));
    await until(isSaid, "the loss to be said", 300_000);
    await world.timed("restore", world.name, "--backup", backup?.id ?? "", "--yes", "--wait");
    await world.settle();
    await expectShop(world);
    expect(await pods()).toBe(running);
  });
});

describe("the certificates of its servers", () => {
  it("are listed, and renewed by starting k3s anew", async () => {
    const { old, serialNow } = await world.renewCertificates();
    expect(old.filter((one) => one.node === first.name && !one.authority).length).toBeGreaterThan(8);
    expect(old.some((one) => one.name === "etcd/server-ca" && one.authority)).toBe(true);
    for (const one of old.filter(({ authority }) => authority)) expect(serialNow(one)).toBe(one.serial);
  });
});

describe("its end", () => {
  it("leaves the machines as they were found, and the backup where it is", async () => {
    await world.delete();
    await world.expectAsFound();
  });
});
