import { describe, expect, it } from "vitest";
import { beyondKept, describeDifference, describePlace } from "./backup.ts";

describe("what is too many", () => {
  it("is what is older than as many as are kept", () => {
    const backups = ["new", "middle", "old"].map((id) => ({ id, drill: null }));
    expect(beyondKept(backups, 2).map(({ id }) => id)).toEqual(["old"]);
    expect(beyondKept(backups.slice(0, 1), 2)).toEqual([]);
  });

  it("never has the last proven one go before a newer one is proven", () => {
    const [yes, no] = [{ passed: true }, { passed: false }];
    const ids = (drills: readonly ({ passed: boolean } | null)[]) =>
      beyondKept(
        drills.map((drill, id) => ({ id, drill })),
        2,
      ).map(({ id }) => id);
    expect(ids([null, no, null, yes, yes])).toEqual([2, 4]);
    expect(ids([null, yes, yes])).toEqual([2]);
  });
});

describe("two counts of objects", () => {
  it("differ in what is more, less, missing or new, in the order of the names", () => {
    expect(describeDifference({ pods: 2, nodes: 1 }, { nodes: 1, pods: 2 })).toBeNull();
    expect(describeDifference({ pods: 2, nodes: 1 }, { pods: 3, secrets: 4 })).toBe(
      "nodes: 0 instead of 1, pods: 3 instead of 2, secrets: 4 instead of 0",
    );
  });
});

it("a place is told by its host and folder, or by its address", () => {
  expect(describePlace({ type: "directory", host: "h1", path: "/b/1" })).toBe("h1:/b/1");
  const s3 = { type: "s3", url: "https://s3.example/", bucket: "b", prefix: "p/1", credential: null } as const;
  expect(describePlace(s3)).toBe("https://s3.example/b/p/1");
});
