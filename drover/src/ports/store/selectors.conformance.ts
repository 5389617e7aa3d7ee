import fc from "fast-check";
import { describe, expect } from "vitest";
import { type LabelRequirement, matchesLabels } from "../../domain/labels.ts";
import type { ClusterFilter, Store } from "./index.ts";
import {
  declare,
  declareAndClaim,
  declareAndCreate,
  type StoreSubject,
  specWith,
  storeTest,
} from "./world.conformance.ts";

const KEYS = ["env", "team", "example.com/tier", "__proto__", "constructor"];
const VALUES = ["", "dev", "Dev", "prod", "a.b_c-d", "%", "1"];

const anyLabels = fc.uniqueArray(fc.tuple(fc.constantFrom(...KEYS), fc.constantFrom(...VALUES)), {
  selector: ([key]) => key,
  maxLength: 4,
});
const anyRequirement: fc.Arbitrary<LabelRequirement> = fc.oneof(
  fc.record({ op: fc.constantFrom("exists", "missing"), key: fc.constantFrom(...KEYS, "none") }),
  fc.record({
    op: fc.constantFrom("in", "notin"),
    key: fc.constantFrom(...KEYS, "none"),
    values: fc.uniqueArray(fc.constantFrom(...VALUES), { minLength: 1, maxLength: 3 }),
  }),
) as fc.Arbitrary<LabelRequirement>;

/** An own member even for `__proto__`. */
const toLabels = (entries: readonly (readonly [string, string])[]) =>
  Object.fromEntries(entries) as Record<string, string>;

const namesOf = async (store: Store, filter: ClusterFilter) =>
  (await store.read.listClusters({ ...filter, limit: 1_000 })).items.map(({ name }) => name);

export function describeSelectors(subject: StoreSubject): void {
  const it = storeTest(subject);

  it("selects by labels exactly what the matcher of the domain selects", async ({ world: { store } }) => {
    const labelled = fc.sample(anyLabels, { numRuns: 40, seed: 20_261_115 }).map(toLabels);
    for (const [index, labels] of labelled.entries())
      await declare(store, `c${String(index).padStart(2, "0")}`, { labels });
    await fc.assert(
      fc.asyncProperty(fc.array(anyRequirement, { maxLength: 3 }), async (selector) => {
        const expected = labelled.flatMap((labels, index) =>
          matchesLabels(selector, labels) ? [`c${String(index).padStart(2, "0")}`] : [],
        );
        expect(await namesOf(store, { selector })).toEqual(expected);
        expect((await store.read.countClusters({ selector })).total).toBe(expected.length);
      }),
      { numRuns: 60 },
    );
    const anySelector = fc.array(anyRequirement, { maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(anySelector, fc.array(anySelector, { maxLength: 3 }), async (selector, scopes) => {
        const isSeen = (labels: Record<string, string>) =>
          matchesLabels(selector, labels) &&
          (scopes.length === 0 || scopes.some((scope) => matchesLabels(scope, labels)));
        const expected = labelled.flatMap((labels, index) =>
          isSeen(labels) ? [`c${String(index).padStart(2, "0")}`] : [],
        );
        expect(await namesOf(store, { selector, scopes })).toEqual(expected);
        expect((await store.read.countClusters({ selector, scopes })).total).toBe(expected.length);
        const jobs = await store.read.listJobs({ scopes, limit: 1_000 });
        const inScope = (await namesOf(store, { scopes })).sort();
        expect(jobs.items.map(({ clusterName }) => clusterName).sort()).toEqual(inScope);
      }),
      { numRuns: 40 },
    );
  });

  it("follows labels that change", async ({ world: { store } }) => {
    await declare(store, "dev", { labels: { env: "dev", team: "a" } });
    await declare(store, "dev", { labels: { env: "prod" } });
    expect(await namesOf(store, { selector: [{ op: "in", key: "env", values: ["dev"] }] })).toEqual([]);
    expect(await namesOf(store, { selector: [{ op: "exists", key: "team" }] })).toEqual([]);
    expect(await namesOf(store, { selector: [{ op: "in", key: "env", values: ["prod"] }] })).toEqual(["dev"]);
  });

  it("finds part of a name in any case, and takes it as it is", async ({ world: { store } }) => {
    for (const name of ["payments-dev", "payments-prod", "dev", "a1b", "ab"]) await declare(store, name);
    expect(await namesOf(store, { search: "PAY" })).toEqual(["payments-dev", "payments-prod"]);
    expect(await namesOf(store, { search: "s-d" })).toEqual(["payments-dev"]);
    expect(await namesOf(store, { search: "dev" })).toEqual(["dev", "payments-dev"]);
    expect(await namesOf(store, { search: "" })).toHaveLength(5);
    expect(await namesOf(store, { search: "prod  pay" })).toEqual(["payments-prod"]);
    for (const search of ["%", "_", "a%b", "a_b", "\\", "pay%dev", "*", "'", '"', "[a-z]", "\u0000", "\ud800"]) {
      expect(await namesOf(store, { search }), search).toEqual([]);
      expect((await store.read.countClusters({ search })).total, search).toBe(0);
    }
  });

  describe("filters and counts", () => {
    const fill = async (store: Store) => {
      await declareAndCreate(store, "running-1");
      await declareAndCreate(store, "running-2");
      await declareAndClaim(store, "creating");
      await declare(store, "pending", { labels: { env: "x" } });
      await declare(store, "kind", {
        spec: specWith(1, { provider: "kind", simulated: undefined }),
        labels: { env: "x" },
      });
    };

    it("by phase, provider and readiness, alone and together", async ({ world: { store } }) => {
      await fill(store);
      expect(await namesOf(store, { phases: ["Running", "Creating"] })).toEqual(["creating", "running-1", "running-2"]);
      expect(await namesOf(store, { phases: [] })).toEqual([]);
      expect(await namesOf(store, { providers: ["kind"] })).toEqual(["kind"]);
      expect(await namesOf(store, { providers: [] })).toEqual([]);
      expect(await namesOf(store, { onlyReady: true })).toEqual(["running-1", "running-2"]);
      expect(await namesOf(store, { onlyReady: false })).toHaveLength(5);
      const selector = [{ op: "exists", key: "env" }] as const;
      expect(await namesOf(store, { selector, providers: ["simulated"], phases: ["Pending"], search: "END" })).toEqual([
        "pending",
      ]);
    });

    it("by a word that is part of the name or what the cluster is called", async ({ world: { store } }) => {
      await fill(store);
      await declare(store, "not-running");
      await declare(store, "paused", { spec: specWith(1, { maintenance: { paused: true } }) });
      const word = (text: string, called: string) => ({ words: [{ text, called }] });
      expect(await namesOf(store, word("RUNNING", "Running"))).toEqual(["not-running", "running-1", "running-2"]);
      expect(await namesOf(store, word("pend", "Running"))).toEqual(["pending", "running-1", "running-2"]);
      expect(await namesOf(store, word("zzz", "kind"))).toEqual(["kind"]);
      expect(await namesOf(store, word("zzz", "Paused"))).toEqual(["paused"]);
      expect(await namesOf(store, { ...word("1", "Creating"), search: "RUN" })).toEqual(["running-1"]);
      expect((await store.read.countClusters(word("creat", "Running"))).total).toBe(3);
    });

    it("by phase and provider, as far as the filter goes", async ({ world: { store } }) => {
      await fill(store);
      expect(await store.read.countClusters({})).toEqual({
        total: 5,
        phases: { Running: 2, Creating: 1, Pending: 2 },
        providers: { simulated: 4, kind: 1 },
      });
      expect(await store.read.countClusters({ onlyReady: true })).toEqual({
        total: 2,
        phases: { Running: 2 },
        providers: { simulated: 2 },
      });
    });
  });
}
