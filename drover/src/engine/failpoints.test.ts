import { readdirSync, readFileSync } from "node:fs";
import { afterEach, expect, it } from "vitest";
import { fakeStep as step } from "../../test/fake-step.ts";
import { FakeJob } from "../../test/run-fake-plan.ts";
import { armFailpoint, disarmFailpoints } from "../lib/failpoint.ts";
import { ENGINE_FAILPOINTS } from "./failpoints.ts";
import { CancelRequested } from "./stop-reasons.ts";

afterEach(disarmFailpoints);

it("lists every failpoint of the engine once, and none that is not there", () => {
  const folder = new URL("./", import.meta.url);
  const sources = readdirSync(folder).filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  const used = sources
    .flatMap((file) => [...readFileSync(new URL(file, folder), "utf8").matchAll(/\bfailpoint\(\s*([^)]*)\)/g)])
    .map((match) => match[1]);
  expect(used.toSorted()).toEqual(ENGINE_FAILPOINTS.map((name) => JSON.stringify(name)).toSorted());
});

it("passes every failpoint in a plan that logs, is cancelled and taken back", async () => {
  const passed: string[] = [];
  for (const name of ENGINE_FAILPOINTS) armFailpoint(name, () => void passed.push(name));
  const job = new FakeJob([step("a"), step("b", ["a"])], {
    a: { act: ({ log }) => log("hello") },
    b: { runs: ["hangs"] },
  });
  const controller = new AbortController();
  job.time.after(100, () => controller.abort(new CancelRequested("ada", { undo: true })));
  await job.run({ signals: [controller.signal] });
  expect(passed.toSorted()).toEqual(ENGINE_FAILPOINTS.toSorted());
});
