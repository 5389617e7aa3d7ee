import { describe, expect, it } from "vitest";
import { nodeLabelPatches, OUR_LABELS } from "./node-labels.ts";

const node = (labels: Record<string, string>, ours?: string) => ({
  metadata: { name: "n1", labels, ...(ours === undefined ? {} : { annotations: { [OUR_LABELS]: ours } }) },
});

const patch = (labels: Record<string, string | null>, ours: string | null) => [
  { node: "n1", patch: { metadata: { labels, annotations: { [OUR_LABELS]: ours } } } },
];

describe("labels of nodes", () => {
  it("are set where they are missing or different, and remembered as ours", () => {
    expect(nodeLabelPatches([node({ team: "blue", os: "linux" })], { team: "red", zone: "a" })).toEqual(
      patch({ team: "red", zone: "a" }, "team,zone"),
    );
  });

  it("need nothing where they are as declared", () => {
    expect(nodeLabelPatches([node({ team: "red", os: "linux" }, "team")], { team: "red" })).toEqual([]);
    expect(nodeLabelPatches([node({ os: "linux" })], {})).toEqual([]);
  });

  it("become ours where nodes were made with them", () => {
    expect(nodeLabelPatches([node({ team: "red" })], { team: "red" })).toEqual(patch({}, "team"));
  });

  it("go when they are no longer declared, unless others gave them", () => {
    expect(nodeLabelPatches([node({ team: "red", os: "linux" }, "team")], {})).toEqual(patch({ team: null }, null));
  });
});
