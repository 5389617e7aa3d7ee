import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Place } from "../support/place.ts";
import { ClusterOn, until } from "./support/cluster.ts";
import { containersOf, makeDockerPlace, NEWER, RUN, sweepUp, thingsOf, toolsFor } from "./support/docker-place.ts";
import { describeOnDocker } from "./support/documents.ts";

let place: Place;
beforeAll(async () => {
  place = await makeDockerPlace();
  await place.must("up", "--detach");
});
afterAll(async () => {
  await place.dispose();
  expect(sweepUp()).toEqual([]);
});

/** Half a minute for everything to be gone, as promised. */
const PROMISED_MS = 30_000;

async function begin(provider: "kind" | "k3d", name: string): Promise<void> {
  place.write(`${name}.json`, describeOnDocker(provider, name, { version: NEWER, workers: 1 }));
  await place.must("apply", "-f", `${name}.json`);
  await until(() => containersOf(name).length > 0, `the first container of ${name}`);
}

describe.each(["kind", "k3d"] as const)("a create of %s", (provider) => {
  it("leaves nothing when it is cancelled", async () => {
    const name = `${RUN}-${provider}-c`;
    await begin(provider, name);
    await place.must("cancel", name);
    await until(
      () => [...thingsOf(name), ...toolsFor(name)].length === 0,
      `nothing of ${name} to be left`,
      PROMISED_MS,
    );
    await new ClusterOn(place, name).waitForPhase("Unavailable");
    const { items } = await place.json<{ items: readonly { error: { code: string } | null }[] }>("get", "jobs", name);
    expect(items[0]?.error?.code).toBe("job-taken-back");
    await place.must("delete", name, "--yes", "--wait");
  });

  it("leaves nothing when it is deleted, but a record of that", async () => {
    const name = `${RUN}-${provider}-d`;
    await begin(provider, name);
    await place.must("delete", name, "--yes");
    await until(
      () => [...thingsOf(name), ...toolsFor(name)].length === 0,
      `nothing of ${name} to be left`,
      PROMISED_MS,
    );
    await until(async () => !(await place.must("get", "clusters")).includes(name), `${name} to be gone from the list`);
    expect(await place.must("audit", "list", "--limit", "50")).toContain(name);
  });
});
