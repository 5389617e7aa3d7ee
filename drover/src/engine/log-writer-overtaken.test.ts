import { expect, it } from "vitest";
import { FakeEngineStore } from "../../test/fake-engine-store.ts";
import { SimulatedTime } from "../../test/simulated-time.ts";
import { SecretMask } from "../lib/mask-secrets.ts";
import { LogWriter } from "./log-writer.ts";
import { PlanStop } from "./plan-stop.ts";

it("goes on writing after a line was stored along with earlier ones before its own time came", async () => {
  const time = new SimulatedTime();
  const store = new FakeEngineStore(time);
  store.latencyMs = 20;
  const writer = new LogWriter({
    append: (lines) => store.jobs.appendLog(store.ref, lines),
    mask: new SecretMask(),
    stop: new PlanStop(),
    clock: time,
    timer: time,
    tuning: { lingerMs: 100 },
  });
  const log = writer.open("a", "local");
  log.write("one", "stdout");
  const first = writer.flush();
  log.write("two", "stdout");
  const second = writer.flush();
  log.write("three", "stdout");
  await time.run(Promise.all([first, second]));
  expect(store.logWrites).toEqual([1, 2]);
  await time.pass(200);
  log.write("four", "stdout");
  await time.pass(200);
  expect(store.log.map(({ text }) => text)).toEqual(["one", "two", "three", "four"]);
});
