import { describe, expect, it } from "vitest";
import { suggestWord } from "./suggest.ts";

const FIELDS = ["controlPlanes", "workers", "image", "mounts", "nodeLabels"];

describe("suggestWord", () => {
  it.each([
    ["workrs", "workers"],
    ["worker", "workers"],
    ["wrokers", "workers"],
    ["control_planes", "controlPlanes"],
    ["ControlPlanes", "controlPlanes"],
    ["node-labels", "nodeLabels"],
    ["imgae", "image"],
    ["xyz", undefined],
    ["", undefined],
    ["a".repeat(1000), undefined],
  ])("reads %j as %j", (word, expected) => {
    expect(suggestWord(word, FIELDS)).toBe(expected);
  });
});
