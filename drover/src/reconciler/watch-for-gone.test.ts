import { expect, it } from "vitest";
import { SimulatedTime } from "../../test/simulated-time.ts";
import type { WorkerStore } from "../ports/store/index.ts";
import { watchForGone } from "./watch-for-gone.ts";

/** Watches while the looks find what is given, one after the other, and then nobody; answers what it did and when. */
async function watch(looks: readonly (readonly string[] | Error)[]): Promise<readonly string[]> {
  const time = new SimulatedTime();
  const begun = time.monotonic();
  const seen: string[] = [];
  const note = (what: string) => seen.push(`${time.monotonic() - begun} ${what}`);
  const left = [...looks];
  const workers: Pick<WorkerStore, "findGone" | "endLeasesOf"> = {
    findGone: async () => {
      const found = left.shift() ?? [];
      note("looks");
      if (found instanceof Error) throw found;
      return found;
    },
    endLeasesOf: async (ids) => {
      note(`ends ${ids.join(" ")}`);
      return ids.length;
    },
  };
  const stop = new AbortController();
  const watching = watchForGone(
    {
      store: { workers: workers as WorkerStore },
      timer: time,
      options: { watch: { everyMs: 400, confirmMs: 200 } },
      onError: (_, error) => note(String(error)),
    },
    stop.signal,
  );
  await time.pass(1_300);
  stop.abort();
  await watching;
  return seen;
}

it("ends the leases of whoever is gone at a second look", async () => {
  expect(await watch([[], ["w1"], ["w1"]])).toEqual([
    ...["0 looks", "400 looks", "600 looks", "600 ends w1", "1000 looks"],
  ]);
});

it("leaves alone whoever is back at the second look", async () => {
  expect(await watch([["w1"], [], ["w1"], []])).toEqual([
    "0 looks",
    "200 looks",
    "600 looks",
    "800 looks",
    "1200 looks",
  ]);
});

it("looks twice at each of them", async () => {
  expect(await watch([["w1"], ["w1", "w2"], ["w2"]])).toEqual([
    ...["0 looks", "200 looks", "200 ends w1", "400 looks", "400 ends w2", "800 looks", "1200 looks"],
  ]);
});

it("believes nothing that it saw before the store was away", async () => {
  expect(await watch([["w1"], new Error("away"), ["w1"], []])).toEqual([
    ...["0 looks", "200 looks", "200 Error: away", "600 looks", "800 looks", "1200 looks"],
  ]);
});
