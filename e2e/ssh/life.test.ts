import { describe, expect, it } from "vitest";
import { until } from "../docker/support/cluster.ts";
import { WITH_EVERYTHING } from "../support/form.ts";
import { describeOnMachines, WEB } from "./support/documents.ts";
import {
  loadImage,
  MACHINES,
  type Machine,
  NEWER,
  OLDER,
  onMachine,
  resolveOn,
  WEB_IMAGE,
} from "./support/machines.ts";
import { ask, probe } from "./support/prober.ts";
import { expectShop, openShop } from "./support/shop.ts";
import { useMachines } from "./support/world.ts";

const [first, second, third, fourth] = MACHINES as readonly [Machine, Machine, Machine, Machine];
const all = [first, second, third, fourth];
const beginning = [first, second, third];
const later = [first, second, fourth];
const world = useMachines("e2e-life", all);
/** Its pods come after the nodes are ready. */
const DNS_STARTS = { timeout: 60_000, interval: 1_000 };

async function declare(version: string, workers: readonly Machine[]): Promise<void> {
  await world.make(describeOnMachines(world.name, { version, controlPlanes: [first], workers }));
}

describe("a cluster of kubeadm on machines", () => {
  it("is made offline as declared, and all nodes are ready", async () => {
    await declare(OLDER, [second, third]);
    await world.cluster.waitForNodes(3);
    expect((await world.cluster.show()).status).toMatchObject({
      ...{ phase: "Running", nodes: { total: 3, ready: 3 }, kubernetesVersion: OLDER },
    });
  });

  it("answers to names inside, and through a port of every node", async () => {
    await loadImage(world.place, beginning, WEB_IMAGE);
    await world.cluster.applyAsAdmin(WEB);
    await until(
      async () => (await Promise.all(beginning.map(({ address }) => ask(address)))).length === 3,
      "the port to answer",
    );
    const service = await world.kubectl("get", "service", "web", "-o", "jsonpath={.spec.clusterIP}");
    const dns = await world.kubectl(
      "-n",
      "kube-system",
      "get",
      "service",
      "kube-dns",
      "-o",
      "jsonpath={.spec.clusterIP}",
    );
    // Asked from a node that need not be the one where the answer comes from.
    for (const machine of beginning) {
      await expect.poll(() => resolveOn(machine, dns, "web.default.svc.cluster.local"), DNS_STARTS).toContain(service);
    }
  });

  it("gains a worker", async () => {
    await declare(OLDER, [second, third, fourth]);
    await world.cluster.waitForNodes(4);
    expect(await onMachine(fourth, "systemctl is-active kubelet")).toContain("active");
    await loadImage(world.place, [fourth], WEB_IMAGE);
  });

  it("loses a worker: its pods move, and only that machine is reset", async () => {
    await declare(OLDER, [second, fourth]);
    await world.cluster.waitForNodes(3);
    const listPods = () => world.kubectl("get", "pods", "-l", "app=web", "-o", "wide", "--no-headers");
    // The last one that was moved may still be starting.
    await until(async () => (await listPods()).match(/ 1\/1 +Running /g)?.length === 3, "three pods to run");
    expect(await listPods()).not.toContain(third.name);
    await world.expectAsFound([third]);
    for (const machine of later) expect(await onMachine(machine, "systemctl is-active kubelet")).toContain("active");
  });

  it("refuses to leave out a minor, before anything happens", async () => {
    const [, minor = ""] = /v1\.(\d+)/.exec(OLDER) ?? [];
    const skipping = describeOnMachines(world.name, {
      version: `v1.${Number(minor) + 2}.0`,
      controlPlanes: [first],
      workers: [second, fourth],
    });
    world.place.write("skip.json", skipping);
    const { code, out, err } = await world.place.run("apply", "-f", "skip.json", "--wait", "--consent");
    expect(code).not.toBe(0);
    expect(out + err).toMatch(/minor|not supported|supported are/);
  });

  it("is upgraded by one minor, with every request answered", async () => {
    const prober = probe(later.map(({ address }) => address));
    await declare(NEWER, [second, fourth]);
    const { answered, failed } = await prober.stop();
    process.stdout.write(`${answered} requests answered, ${failed.length} failed\n`);
    await world.cluster.waitForNodes(3);
    const versions = await world.kubectl("get", "nodes", "-o", "jsonpath={.items[*].status.nodeInfo.kubeletVersion}");
    expect(versions).toBe([NEWER, NEWER, NEWER].join(" "));
    expect(failed).toEqual([]);
  });

  it("is backed up, loses a namespace, and has it again after a restore", async () => {
    await openShop(world);
    await world.timed("backup", "cluster", world.name, "--wait");
    await world.kubectl("delete", "namespace", "shop", "--wait");
    const [backup] = await world.listBackups();
    await world.timed("restore", world.name, "--backup", backup?.id ?? "", "--yes", "--wait");
    await world.cluster.waitForPhase("Running", 300_000);
    await expectShop(world);
    await until(async () => (await Promise.all(later.map(({ address }) => ask(address)))).length === 3, "the port");
  });

  it.runIf(WITH_EVERYTHING)("has its backup proven by a drill", async () => {
    await world.timed("backup", "drill", world.name, "--wait");
    expect(await world.place.must("backup", "list", world.name)).toContain("passed");
  });

  it.runIf(WITH_EVERYTHING)("has its certificates renewed", async () => {
    const end = () => onMachine(first, "openssl x509 -serial -noout -in /etc/kubernetes/pki/apiserver.crt");
    const old = await end();
    await world.timed("certs", "renew", world.name, "--wait");
    expect(await end()).not.toBe(old);
    await world.cluster.waitForPhase("Running", 300_000);
    await world.cluster.waitForNodes(3);
  });

  it("is deleted, and every machine is as it was found", async () => {
    await world.delete();
    await world.expectAsFound();
  });
});
