import { describe, expect, onTestFinished, test } from "vitest";
import { findFreePort } from "../../../../test/fake-docker/fake-engine-world.ts";
import { goneRows, killAt, look, open, plan, run } from "../../../../test/fake-k3d/scene.ts";
import { type FakeK3dWorld, k3dCluster, k3dSpec, startFakeK3d } from "../../../../test/fake-k3d/world.ts";
import { planSteps } from "../../../domain/pipeline.ts";
import type { PlanStep } from "../../../domain/plan.ts";
import type { ProviderCluster } from "../../../ports/provider.ts";

describe("a create that was killed", () => {
  const cluster = k3dCluster("dev", k3dSpec({ agents: 1, registries: { create: { name: "dev-registry" } } }));

  test("converges, wherever that was", async () => {
    let number = 1;
    for (; ; number += 1) {
      const world = await startFakeK3d();
      const wasKilled = await killAt(world, cluster, "create", number);
      const seen = await look(world, cluster);
      if (wasKilled) expect([seen.presence, seen.complete]).not.toEqual(["present", true]);
      await run(world, cluster, "create");
      expect(await look(world, cluster)).toMatchObject({ complete: true, reachable: true, drift: [] });
      await world.dispose();
      if (!wasKilled) break;
    }
    expect(number).toBeGreaterThan(20);
  }, 60_000);

  test("leaves nothing behind after a delete, wherever that was", async () => {
    for (let number = 1; ; number += 1) {
      const world = await startFakeK3d();
      const empty = world.daemon.inventory();
      const wasKilled = await killAt(world, cluster, "create", number);
      await run(world, cluster, "delete");
      expect(world.daemon.inventory()).toEqual(empty);
      expect(goneRows(world)).toEqual([]);
      await world.dispose();
      if (!wasKilled) break;
    }
  }, 60_000);

  test("is taken back when it is cancelled, wherever that was", async () => {
    for (let number = 1; ; number += 4) {
      const world = await startFakeK3d();
      const empty = world.daemon.inventory();
      const steps = await plan(world, cluster, "create");
      const stop = new AbortController();
      let lines = 0;
      world.onLine = () => {
        lines += 1;
        if (lines === number) stop.abort(new Error("cancelled"));
      };
      const job = { jobId: "job-c", kind: "create", token: 1 } as const;
      await world.bench.runSteps(cluster, steps, { ...job, signal: stop.signal }).catch(() => {});
      await world.bench.undoSteps(cluster, steps, job);
      expect(world.daemon.inventory()).toEqual(empty);
      expect(goneRows(world)).toEqual([]);
      await world.dispose();
      if (!stop.signal.aborted) break;
    }
  }, 60_000);

  test("is not taken back by a later job that found the cluster there", async () => {
    const world = await open();
    await run(world, cluster, "create");
    const before = world.daemon.inventory();
    const steps = await plan(world, cluster, "create");
    const [create] = planSteps({
      name: "create",
      modules: world.provider.plan(cluster, {
        kind: "create",
        observed: { ...(await look(world, cluster)), complete: false },
      }),
    });
    await world.bench.undoSteps(cluster, [create as PlanStep, ...steps], {
      jobId: "other",
      kind: "create",
      token: 9_999,
    });
    expect(world.daemon.inventory()).toEqual(before);
  });
});

describe("a create that fails", () => {
  const expectFailure = async (world: FakeK3dWorld, cluster: ProviderCluster, code: string, message: RegExp) => {
    const before = world.daemon.inventory();
    await expect(run(world, cluster, "create")).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
    expect(world.daemon.inventory()).toEqual(before);
    expect(goneRows(world)).toEqual([]);
  };

  test("for want of an image names it, and leaves nothing", async () => {
    const cluster = k3dCluster("dev", k3dSpec({ image: "example/none:1" }));
    await expectFailure(await open(), cluster, "image-missing", /^The image example\/none:1 is not on this machine/);
  });

  test("because of an argument says what k3s said, not that k3d waited", async () => {
    const cluster = k3dCluster("dev", k3dSpec({ k3sArgs: [{ arg: "--no-such-flag" }] }));
    await expectFailure(
      await open(),
      cluster,
      "step-failed",
      /^k3s in k3d-dev-server-0 ended: flag provided but not defined: ---no-such-flag\./,
    );
  });

  test("because a port was taken in the last second leaves nothing, and takes another one next time", async () => {
    const world = await open();
    const cluster = k3dCluster("dev");
    world.daemon.faults.push({
      on: /serverlb\/start/,
      effect: "refuse",
      message: "driver failed: Bind for 127.0.0.1:20000 failed: port is already allocated",
      times: 1,
    });
    await expectFailure(world, cluster, "port-taken", /^127\.0\.0\.1:20000 is used by another program/);
    await run(world, cluster, "create");
    expect((await look(world, cluster)).complete).toBe(true);
  });

  test("because a network is in the way leaves nothing", async () => {
    const cluster = k3dCluster("dev", k3dSpec({ subnet: "172.17.4.0/24" }));
    await expectFailure(await open(), cluster, "subnet-taken", /172\.17\.4\.0\/24 .*overlaps/);
  });

  test("because Docker went away is cleared by the next attempt", async () => {
    const world = await open();
    const cluster = k3dCluster("dev");
    world.onLine = (line) => {
      if (line.includes("Creating LoadBalancer")) void world.daemon.stop();
    };
    await expect(run(world, cluster, "create")).rejects.toThrow();
    world.onLine = () => {};
    await world.daemon.start();
    await run(world, cluster, "create");
    expect(await look(world, cluster)).toMatchObject({ complete: true, drift: [] });
  });

  test("where there is no k3d says so", async () => {
    const world = await startFakeK3d({ isInstalled: false });
    onTestFinished(() => world.dispose());
    await expect(run(world, k3dCluster("dev"), "create")).rejects.toMatchObject({ code: "program-missing" });
  });
});

test("a port of the host that the spec names and that is free is published", async () => {
  const world = await open();
  const hostPort = await findFreePort();
  const ports = [{ hostPort, containerPort: 80 }, { containerPort: 443 }];
  const cluster = k3dCluster("dev", k3dSpec({}, { networking: { ports } }));
  await run(world, cluster, "create");
  const published = world.daemon.state
    .findContainer("k3d-dev-serverlb")
    .ports.map(({ PrivatePort, PublicPort }) => [PrivatePort, PublicPort]);
  expect(published).toContainEqual([80, hostPort]);
  expect(published).toContainEqual([443, expect.any(Number)]);
});
