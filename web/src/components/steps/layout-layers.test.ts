import { expect, it } from "vitest";
import { foldSteps } from "./fold-steps.ts";
import { NODE_HEIGHT } from "./layout-graph.ts";
import { layoutLayers } from "./layout-layers.ts";

const step = (id: string, ...after: string[]) => ({
  ...{ id: `m/${id}/run/h`, title: id, host: "h", state: "Pending" as const },
  after: after.map((before) => `m/${before}/run/h`),
});

it("puts every step behind all that it waits for, and none upon another", () => {
  const steps = [step("d", "c", "a"), step("a"), step("c", "b"), step("b", "a"), step("e", "a"), step("f", "a")];
  const { places, width, height } = layoutLayers(foldSteps(steps, () => true));
  const at = new Map(places.map((place) => [place.group.title, place]));
  for (const { title, after } of steps) {
    for (const before of after) {
      const name = before.split("/")[1] ?? "";
      expect(at.get(name)?.x).toBeLessThan(at.get(title)?.x ?? 0);
    }
  }
  for (const one of places) {
    const isApart = (other: typeof one) => one.x !== other.x || Math.abs(one.y - other.y) > NODE_HEIGHT;
    expect(places.filter((other) => other !== one).every(isApart)).toBe(true);
    expect(one.y).toBeGreaterThanOrEqual(0);
  }
  expect(width).toBeGreaterThan(0);
  expect(height).toBeGreaterThan(0);
});

it("places what waits for itself, too", () => {
  const { places } = layoutLayers(foldSteps([step("a", "b"), step("b", "a")], () => true));
  expect(places).toHaveLength(2);
});
