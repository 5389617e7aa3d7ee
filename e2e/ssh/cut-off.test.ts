import { describe, expect, it } from "vitest";
import { until } from "../docker/support/cluster.ts";
import { describeOnMachines } from "./support/documents.ts";
import { describePhases } from "./support/jobs.ts";
import { MACHINES, type Machine, NEWER, OLDER, onMachine } from "./support/machines.ts";
import { useMachines } from "./support/world.ts";

const [first, second, third] = MACHINES as readonly [Machine, Machine, Machine];
const all = [first, second, third];
const world = useMachines("e2e-cut", all);
const AWAY_SECONDS = 100;

async function declare(version: string): Promise<void> {
  const document = describeOnMachines(world.name, { version, controlPlanes: [first], workers: [second, third] });
  await world.declare(document);
}

/** Nothing reaches it any more, for so long; it finds back by itself. */
async function cutOff(machine: Machine): Promise<void> {
  const rule = "INPUT ! -i lo -j DROP";
  await onMachine(
    machine,
    `systemd-run --quiet --collect --unit e2e-cut sh -c 'sleep 1; iptables -I ${rule}; sleep ${AWAY_SECONDS}; iptables -D ${rule}'`,
  );
}

const nodes = () =>
  world
    .kubectlFromBefore("get", "nodes", "--no-headers")
    .trim()
    .split("\n")
    .map((line) => line.split(/\s+/))
    .map(([node, state, , , version]) => `${node} ${state?.split(",")[0]} ${version}`);

describe("a machine that the network loses during an upgrade", () => {
  it("is shown as unreachable, stops the wave, and leaves the rest healthy", async () => {
    await declare(OLDER);
    await world.waitForJob(({ state }) => state === "Succeeded", "the create");
    await world.cluster.waitForNodes(3);
    await declare(NEWER);
    await world.waitForJob(
      ({ kind, steps }) =>
        kind === "upgrade" &&
        steps.some(
          ({ host, title, state }) => host === second.name && title.startsWith("Upgrade") && state !== "Pending",
        ),
      `the turn of ${second.name}`,
    );
    await cutOff(second);
    await until(() => nodes().some((line) => line.startsWith(`${second.name} NotReady`)), "its loss");
    const away = new RegExp(`${second.name}.*(Unreachable|unreachable|not answer|cannot be reached)`, "s");
    await until(
      async () => away.test(await world.place.must("describe", world.name)),
      "it to be shown as unreachable",
      30_000,
    );
    const seen = nodes();
    process.stdout.write(`while ${second.name} is away: ${seen.join("; ")}\n`);
    expect(seen).toContainEqual(`${first.name} Ready ${NEWER}`);
    expect(seen).toContainEqual(`${third.name} Ready ${OLDER}`);
    const { status } = await world.cluster.show();
    expect(status.phase).not.toBe("Failed");
  });

  it("goes on by itself when it is back", async () => {
    const job = await world.waitForJob(
      ({ kind, state }) => kind === "upgrade" && state === "Succeeded",
      "the end of the upgrade",
    );
    process.stdout.write(`${describePhases(job)}\n`);
    await until(() => nodes().every((line) => line.endsWith(` Ready ${NEWER}`)), "all nodes");
    await world.delete();
    await world.expectAsFound();
  });
});
