import { expect, it } from "vitest";
import { SimulatedTime } from "../../test/simulated-time.ts";
import { openTestStore } from "../../test/store.ts";
import { ok } from "../domain/finding.ts";
import { HOST_REPORTS } from "../domain/host-report.ts";
import { workerAt } from "../ports/store/world.conformance.ts";
import { reportHost } from "./host-report.ts";

it("tells what it found, again and again, goes on after a failure, and takes it back when it leaves", async () => {
  const { store, dispose } = await openTestStore();
  const time = new SimulatedTime();
  const stop = new AbortController();
  const errors: string[] = [];
  let looks = 0;
  const reporting = reportHost(
    {
      ...{ store, identity: workerAt(), clock: time, timer: time, everyMs: 1_000 },
      examine: async () => {
        looks += 1;
        if (looks === 2) throw new Error("no answer");
        return [ok("Docker", `look ${looks}`)];
      },
      onError: (_message, error) => errors.push((error as Error).message),
    },
    stop.signal,
  );
  const told = async () => (await store.leases.listLeases(HOST_REPORTS)).map(({ holder, data }) => ({ holder, data }));
  const until = async (count: number) => {
    while (looks < count) await time.pass(100);
    await store.observations.readTime();
  };
  await until(1);
  await expect.poll(told).toMatchObject([{ holder: "w1", data: { host: "h1", findings: [{ detail: "look 1" }] } }]);
  await until(3);
  await expect.poll(told).toMatchObject([{ data: { findings: [{ detail: "look 3" }] } }]);
  expect(errors).toEqual(["no answer"]);
  stop.abort();
  await time.pass(2_000);
  await reporting;
  expect(await told()).toEqual([]);
  await dispose();
});
