import { validateCluster } from "@drover/contract";
import fc from "fast-check";
import { expect, it } from "vitest";
import { diffSpecs } from "../domain/spec-diff.ts";
import { type DemoDocument, drawCluster, drawEdit, type Random, writeDocument } from "./demo-fleet.ts";

const random = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }));
const randomOf =
  (stream: Stream): Random =>
  () =>
    stream.next().value as number;
type Stream = { next(): { value: unknown } };

function readSpec(document: DemoDocument) {
  const result = validateCluster(JSON.parse(writeDocument(document)));
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.cluster;
}

it("draws clusters that can be declared, and knows its own again", () => {
  fc.assert(
    fc.property(random, fc.nat(9_999), fc.boolean(), (stream, index, faults) => {
      const { metadata, spec } = readSpec(drawCluster("abc123", index, faults, randomOf(stream)));
      expect(metadata.labels).toMatchObject({ demo: "abc123" });
      expect(metadata.name).toMatch(/^demo-abc123-/);
      expect(spec.provider).toBe("simulated");
      if (!faults) expect(spec.simulated?.faults).toBeUndefined();
    }),
  );
});

it("has no fault that goes on for ever, as nobody could end it while a cluster is deleted", () => {
  fc.assert(
    fc.property(random, (stream) => {
      const { faults } = drawCluster("abc123", 1, true, randomOf(stream));
      for (const { times } of faults) expect(times).toBeLessThan(100);
    }),
  );
});

it("draws edits that change something, and nothing that is refused or recreates a cluster", () => {
  fc.assert(
    fc.property(random, fc.boolean(), (stream, faults) => {
      const before = drawCluster("abc123", 1, faults, randomOf(stream));
      const after = drawEdit(before, randomOf(stream));
      expect(["in-place", "rolling"]).toContain(diffSpecs(readSpec(before).spec, readSpec(after).spec).change);
    }),
  );
});
