import { describe, expect, it } from "vitest";
import { faultsFor, judgeFault } from "./judge-fault.ts";
import type { Fault, LedgerEntry } from "./ledger.ts";
import { clusterState, emptyWorld } from "./world-state.ts";

const entryWith = (faults: readonly Fault[], seed = 1): LedgerEntry => ({
  id: "1",
  at: 0,
  pid: 0,
  call: "create-node",
  operation: "create",
  clusterId: "a",
  clusterName: "dev",
  key: null,
  token: null,
  input: {},
  script: { seed, faults },
});

/** Which of so many operations are struck, by number from one. */
function strikes(faults: readonly Fault[], operations: number, seed = 1): readonly number[] {
  const cluster = clusterState(emptyWorld(), "a", "dev");
  const numbers = Array.from({ length: operations }, (_, index) => index + 1);
  return numbers.filter(() => judgeFault(cluster, entryWith(faults, seed)) !== null);
}

const fail: Fault = { operation: "create", effect: "fail" };

describe("when a fault strikes", () => {
  it("is always, where nothing else is said", () => {
    expect(strikes([fail], 3)).toEqual([1, 2, 3]);
  });

  it("is not before as many operations as `after` went well, and not more often than `times`", () => {
    expect(strikes([{ ...fail, after: 2 }], 5)).toEqual([3, 4, 5]);
    expect(strikes([{ ...fail, times: 2 }], 5)).toEqual([1, 2]);
    expect(strikes([{ ...fail, after: 1, times: 1 }], 5)).toEqual([2]);
  });

  it("is as often as `percent` says, by the seed", () => {
    const struck = strikes([{ ...fail, percent: 30 }], 2_000);
    expect(struck.length).toBeGreaterThan(500);
    expect(struck.length).toBeLessThan(700);
    expect(strikes([{ ...fail, percent: 30 }], 2_000)).toEqual(struck);
    expect(strikes([{ ...fail, percent: 30 }], 2_000, 2)).not.toEqual(struck);
    expect(strikes([{ ...fail, percent: 0 }], 100)).toEqual([]);
  });

  it("is decided for the first of the script that is due; the others count on", () => {
    const cluster = clusterState(emptyWorld(), "a", "dev");
    const script: readonly Fault[] = [
      { ...fail, times: 1 },
      { operation: "any", effect: "hang", after: 1 },
    ];
    const effects = [1, 2, 3].map(() => judgeFault(cluster, entryWith(script))?.effect);
    expect(effects).toEqual(["fail", "hang", "hang"]);
  });
});

describe("faultsFor", () => {
  it("gives those of the operation and those of any, as long as they can strike", () => {
    const cluster = clusterState(emptyWorld(), "a", "dev");
    const once: Fault = { operation: "any", effect: "drift", times: 1 };
    const script = [fail, once, { ...fail, operation: "delete" } as const];
    expect(faultsFor(script, "create", cluster)).toEqual([fail, once]);
    judgeFault(cluster, entryWith([once]));
    expect(faultsFor(script, "create", cluster)).toEqual([fail]);
    expect(faultsFor(undefined, "create", cluster)).toEqual([]);
  });
});
