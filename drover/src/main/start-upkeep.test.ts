import { expect, it, vi } from "vitest";
import { SimulatedTime } from "../../test/simulated-time.ts";
import { loadOptions } from "../config/load-options.ts";
import { startUpkeep } from "./start-upkeep.ts";

const HOUR = 3_600_000;
const options = loadOptions({ env: { DROVER_KEEP_JOBS: "48h" } });

function start(answers: (Record<string, number> | Error)[]) {
  const time = new SimulatedTime();
  const applyRetention = vi.fn(async (_keep: unknown) => {
    const answer = answers.shift() ?? { jobs: 0 };
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const log = { info: vi.fn(), error: vi.fn() };
  return { time, applyRetention, log, upkeep: startUpkeep({ applyRetention }, options, log, time) };
}

it("removes a backlog bite by bite, soon after the start and then every hour", async () => {
  const { time, applyRetention, log, upkeep } = start([{ jobs: 2_000, events: 5 }, { jobs: 7 }]);
  await time.pass(59_000);
  expect(applyRetention).not.toHaveBeenCalled();
  await time.pass(5_000);
  expect(applyRetention).toHaveBeenCalledTimes(3);
  expect(applyRetention.mock.calls[0]?.[0]).toMatchObject({ finishedJobs: 48 * HOUR, events: 90 * 24 * HOUR });
  expect(log.info.mock.calls).toEqual([[{ removed: { jobs: 2_007, events: 5 } }, expect.any(String)]]);
  await time.pass(HOUR);
  expect(applyRetention).toHaveBeenCalledTimes(4);
  await upkeep.stop();
  await time.pass(2 * HOUR);
  expect(applyRetention).toHaveBeenCalledTimes(4);
});

it("goes on after a failure", async () => {
  const { time, applyRetention, log, upkeep } = start([new Error("The store is away.")]);
  await time.pass(HOUR + 120_000);
  expect(log.error).toHaveBeenCalledTimes(1);
  expect(applyRetention).toHaveBeenCalledTimes(2);
  await upkeep.stop();
});
