import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "../docker/support/cluster.ts";
import { describeOnMachines } from "./support/documents.ts";
import { artifactsWithKubeVip } from "./support/kube-vip-artifacts.ts";
import { MACHINES, type Machine, OLDER, onMachine } from "./support/machines.ts";
import { useMachines } from "./support/world.ts";

const [first, second, third] = MACHINES as readonly [Machine, Machine, Machine];
const all = [first, second, third];
const world = useMachines("e2e-kube-vip", all);
/** In the network of the machines, and of nobody. */
const virtualIp = first.address.replace(/\d+$/, "251");
/** The archive of an image of kube-vip, and the name that it has in there; the test bed has none. */
const { DROVER_E2E_KUBE_VIP = "", DROVER_E2E_KUBE_VIP_IMAGE = "" } = process.env;

const carriers = async () => {
  const addresses = await Promise.all(all.map((machine) => onMachine(machine, "ip -o addr")));
  return all.filter((_, at) => addresses[at]?.includes(` ${virtualIp}/`));
};

describe.runIf(DROVER_E2E_KUBE_VIP !== "")("three control planes behind kube-vip", () => {
  it("are made, and one of them carries the address", async () => {
    const location = artifactsWithKubeVip(
      ...[join(world.place.folder, "artifacts"), OLDER, DROVER_E2E_KUBE_VIP, DROVER_E2E_KUBE_VIP_IMAGE],
    );
    await world.make(
      describeOnMachines(world.name, {
        ...{ version: OLDER, controlPlanes: all, workers: [] },
        ssh: {
          artifacts: { source: "directory", location, offline: true },
          ...{ schedulableControlPlane: true, endpoint: { type: "kube-vip", virtualIp } },
        },
      }),
    );
    await world.cluster.waitForNodes(3);
    expect(await carriers()).toHaveLength(1);
    for (const machine of all) {
      expect(await onMachine(machine, "cat /etc/kubernetes/manifests/kube-vip.yaml")).not.toContain("super-admin");
    }
  });

  it("renew their certificates, and kube-vip goes on with the new ones", async () => {
    const pod = () => onMachine(first, "crictl ps -q --name '^kube-vip$'");
    const old = await pod();
    await world.timed("certs", "renew", world.name, "--wait");
    await until(async () => ![old, ""].includes(await pod()), "kube-vip to start anew");
    await expect.poll(async () => (await carriers()).length, { timeout: 60_000 }).toBe(1);
  });

  it("answer by the address when the one that carries it dies", async () => {
    const [lost] = (await carriers()) as [Machine];
    await onMachine(
      lost,
      `systemctl stop kubelet
       for task in $(ctr -n k8s.io tasks ls -q); do ctr -n k8s.io tasks kill -s KILL $task; done 2>/dev/null
       ip address delete ${virtualIp}/32 dev eth0 2>/dev/null; true`,
    );
    const began = performance.now();
    await until(() => world.kubectlFromBefore("get", "--raw", "/readyz") === "ok", "the others to answer");
    process.stdout.write(
      `the others answer by the address after ${Math.round((performance.now() - began) / 1000)} s\n`,
    );
    await onMachine(lost, "systemctl start kubelet");
    await world.settle();
    expect(await carriers()).toHaveLength(1);
  });

  it("are deleted, and the machines are as they were found", async () => {
    await world.delete();
    await world.expectAsFound();
    expect(await carriers()).toEqual([]);
  });
});
