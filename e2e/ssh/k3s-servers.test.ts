import { get } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../docker/support/cluster.ts";
import { type Balancer, balance } from "./support/balancer.ts";
import { describeK3s } from "./support/documents.ts";
import { EMPTY_K3S } from "./support/empty-k3s.ts";
import { MACHINES, type Machine, NEWER, OLDER, onMachine } from "./support/machines.ts";
import { useMachines } from "./support/world.ts";

const [first, second, third] = MACHINES as readonly [Machine, Machine, Machine];
const all = [first, second, third];
const world = useMachines("e2e-k3s-servers", all);

let balancer: Balancer;
beforeAll(async () => {
  balancer = await balance(all.map(({ address }) => address));
});
afterAll(() => balancer.close());

async function declare(version: string, servers: readonly Machine[]): Promise<void> {
  const endpoint = { type: "given", host: balancer.host, port: balancer.port };
  const ssh = { schedulableControlPlane: true, endpoint };
  await world.make(describeK3s(world.name, { version, controlPlanes: servers, workers: [], ssh }));
}

/** A write needs the majority of the database. */
async function write(what: string): Promise<string> {
  let said = "";
  await until(async () => {
    said = await world.kubectl("create", "configmap", what);
    return true;
  }, `${what} to be written`);
  return said;
}

/** Through the address that stays, five times a second; who is not let in was answered. */
function askApi(): { stop(): Promise<{ answered: number; failed: readonly string[] }> } {
  const failed: string[] = [];
  let answered = 0;
  let isOver = false;
  const ended = (async () => {
    while (!isOver) {
      try {
        await askOnce();
        answered += 1;
      } catch (error) {
        failed.push(`${new Date().toISOString()} ${(error as Error).message}`);
      }
      await sleep(200);
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await ended;
      return { answered, failed };
    },
  };
}

function askOnce(): Promise<void> {
  const { host, port } = balancer;
  return new Promise((resolve, reject) => {
    const question = { host, port, path: "/version", rejectUnauthorized: false, agent: false, timeout: 10_000 };
    const request = get(question, (answer) => {
      answer.resume();
      answer.on("end", resolve);
    });
    request.on("timeout", () => request.destroy(new Error("no answer")));
    request.on("error", reject);
  });
}

describe("three servers of k3s", () => {
  it("are one cluster behind an address that stays", async () => {
    await declare(OLDER, all);
    await world.cluster.waitForNodes(3);
    const members = await world.kubectl("get", "nodes", "-l", "node-role.kubernetes.io/etcd=true", "-o", "name");
    expect(members.trim().split("\n")).toHaveLength(3);
  });

  it("go on when one is lost, and get it back", async () => {
    await onMachine(third, EMPTY_K3S);
    expect(await write("while-one-is-lost")).toContain("created");
    // Nobody asks for it: the loss is seen, and mended.
    const repairs = async () =>
      (await world.place.json<{ items: { kind: string; state: string }[] }>("jobs", world.name)).items.filter(
        ({ kind, state }) => kind === "repair" && state === "Succeeded",
      );
    await until(async () => (await repairs()).length > 0, "the server to be replaced", 300_000);
    await world.cluster.waitForNodes(3);
    await world.cluster.waitForPhase("Running");
  });

  it("have a majority again: the next one may be lost", async () => {
    // With the member of the lost one still counted, two of four would be left, and nothing could be written.
    await onMachine(second, "systemctl stop k3s");
    expect(await write("while-another-is-lost")).toContain("created");
    await onMachine(second, "systemctl start k3s");
    await world.cluster.waitForNodes(3);
  });

  it("are upgraded one after the other, and the API answers throughout", async () => {
    const asking = askApi();
    await declare(NEWER, all);
    const { answered, failed } = await asking.stop();
    process.stdout.write(`${answered} questions to the API answered, ${failed.length} not\n`);
    await world.cluster.waitForNodes(3);
    expect((await world.cluster.show()).status.kubernetesVersion).toBe(`${NEWER}+k3s1`);
    expect(answered).toBeGreaterThan(failed.length * 20);
  });

  it("may become one, which keeps everything", async () => {
    await declare(NEWER, [first]);
    await world.cluster.waitForNodes(1);
    expect(await world.kubectl("get", "configmap", "while-one-is-lost", "-o", "name")).toContain("lost");
    expect(await write("on-its-own")).toContain("created");
    await world.expectAsFound([second, third]);
  });

  it("are deleted, and every machine is as it was found", async () => {
    await world.delete();
    await world.expectAsFound();
  });
});
