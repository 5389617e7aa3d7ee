import { describe, expect, it } from "vitest";
import { until } from "../docker/support/cluster.ts";
import { WITH_EVERYTHING } from "../support/form.ts";
import { describeK3s, WEB } from "./support/documents.ts";
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
import { useMachines } from "./support/world.ts";

const [first, second, third] = MACHINES as readonly [Machine, Machine, Machine];
/** Where not everything is asked for, two machines tell the story. */
const agents = WITH_EVERYTHING ? [second, third] : [second];
const all = [first, ...agents];
const world = useMachines("e2e-k3s-life", all);
/** Its pods come after the nodes are ready. */
const DNS_STARTS = { timeout: 60_000, interval: 1_000 };

const isActive = (machine: Machine, unit: string) => onMachine(machine, `systemctl is-active ${unit} || true`);

async function declare(version: string, workers: readonly Machine[], ssh: object = {}): Promise<void> {
  await world.make(describeK3s(world.name, { version, controlPlanes: [first], workers, ssh }));
}

describe("a cluster of k3s on machines", () => {
  it("is made offline as declared, and all nodes are ready", async () => {
    await declare(OLDER, agents);
    await world.cluster.waitForNodes(all.length);
    expect((await world.cluster.show()).status).toMatchObject({
      ...{ phase: "Running", nodes: { total: all.length, ready: all.length }, kubernetesVersion: `${OLDER}+k3s1` },
    });
    expect(await isActive(first, "k3s")).toBe("active\n");
    expect(await isActive(second, "k3s-agent")).toBe("active\n");
  });

  it("keeps its token to the machines", async () => {
    const token = (await onMachine(first, "cat /var/lib/rancher/k3s/server/token")).trim().split(":").at(-1) ?? "";
    expect(token.length).toBeGreaterThan(20);
    const { items } = await world.place.json<{ items: { id: string }[] }>("jobs", world.name);
    const log = await world.place.must("logs", items.at(-1)?.id ?? "");
    expect(log).toContain("k3s");
    expect(log).not.toContain(token);
    expect(await onMachine(second, "ps -e -o args=")).not.toContain(token);
  });

  it("answers to names inside, and through a port of every node", async () => {
    await loadImage(world.place, all, WEB_IMAGE, "k3s ctr");
    await world.cluster.applyAsAdmin(WEB);
    await until(
      async () => (await Promise.all(all.map(({ address }) => ask(address)))).length === all.length,
      "the port to answer",
    );
    const addressOf = (...args: readonly string[]) =>
      world.kubectl("get", "service", ...args, "-o", "jsonpath={.spec.clusterIP}");
    const service = await addressOf("web");
    const dns = await addressOf("-n", "kube-system", "kube-dns");
    // Asked from a node that need not be the one where the answer comes from.
    for (const machine of all) {
      await expect.poll(() => resolveOn(machine, dns, "web.default.svc.cluster.local"), DNS_STARTS).toContain(service);
    }
  });

  it.runIf(WITH_EVERYTHING)("loses an agent: its pods move, and only that machine is cleared", async () => {
    await declare(OLDER, [second]);
    await world.cluster.waitForNodes(2);
    const listPods = () => world.kubectl("get", "pods", "-l", "app=web", "-o", "wide", "--no-headers");
    // The last one that was moved may still be starting.
    await until(async () => (await listPods()).match(/ 1\/1 +Running /g)?.length === 3, "three pods to run");
    expect(await listPods()).not.toContain(third.name);
    await world.expectAsFound([third]);
    expect(await isActive(second, "k3s-agent")).toBe("active\n");
  });

  it.runIf(WITH_EVERYTHING)("gains an agent", async () => {
    await declare(OLDER, [second, third]);
    await world.cluster.waitForNodes(3);
    expect(await isActive(third, "k3s-agent")).toBe("active\n");
    await loadImage(world.place, [third], WEB_IMAGE, "k3s ctr");
  });

  it.runIf(WITH_EVERYTHING)("is upgraded by one minor, with every request answered", async () => {
    const prober = probe(all.map(({ address }) => address));
    await declare(NEWER, [second, third]);
    const { answered, failed } = await prober.stop();
    process.stdout.write(`${answered} requests answered, ${failed.length} failed\n`);
    await world.cluster.waitForNodes(3);
    const versions = await world.kubectl(
      ...["get", "nodes", "-o", "jsonpath={.items[*].status.nodeInfo.kubeletVersion}"],
    );
    expect(versions).toBe(all.map(() => `${NEWER}+k3s1`).join(" "));
    expect(failed).toEqual([]);
    expect(await onMachine(first, "ls /var/lib/drover/snapshots")).toContain(`before-${NEWER}-k3s1-`);
  });

  it.runIf(WITH_EVERYTHING)("takes a setting that changed, node by node, while its pods run on", async () => {
    const containers = async () =>
      await world.kubectl(
        ...["get", "pods", "-l", "app=web", "-o", "jsonpath={.items[*].status.containerStatuses[0].containerID}"],
      );
    const pods = await containers();
    await declare(NEWER, [second, third], { kubeletArgs: [{ name: "max-pods", value: "99" }] });
    for (const machine of all) {
      await until(
        async () =>
          (await world.kubectl(...["get", "node", machine.name, "-o", "jsonpath={.status.allocatable.pods}"])) === "99",
        `${machine.name} to take 99 pods`,
      );
    }
    expect(await containers()).toBe(pods);
  });

  it("is deleted, and every machine is as it was found", async () => {
    await world.delete();
    await world.expectAsFound();
  });
});
