import { expect, it } from "vitest";
import { findAt, fitView, LEAST_SCALE, MOST_SCALE, zoomAt } from "./canvas-view.ts";
import { foldSteps } from "./fold-steps.ts";
import { layoutLayers } from "./layout-layers.ts";

const steps = ["a", "b", "c"].map((name, index, all) => ({
  ...{ id: `m/${name}/run/h`, title: name, host: "h", state: "Pending" as const },
  after: index === 0 ? [] : [`m/${all[index - 1]}/run/h`],
}));
const layout = layoutLayers(foldSteps(steps, () => true));
const room = { width: 600, height: 400 };

it("shows the whole graph at first, and finds the step under the pointer", () => {
  const view = fitView(layout, room);
  for (const { group, x, y } of layout.places) {
    const [left, top] = [view.x + (x + 5) * view.scale, view.y + (y + 5) * view.scale];
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(room.width);
    expect(findAt(layout.places, view, left, top)?.group.id).toBe(group.id);
  }
  expect(findAt(layout.places, view, -50, -50)).toBeUndefined();
});

it("keeps the point under the pointer where it is, and stays within bounds", () => {
  const view = zoomAt({ x: 10, y: 20, scale: 0.5 }, 2, 110, 220);
  expect(view).toEqual({ scale: 1, x: -90, y: -180 });
  expect(zoomAt(view, 1e9, 0, 0).scale).toBe(MOST_SCALE);
  expect(zoomAt(view, 1e-9, 0, 0).scale).toBe(LEAST_SCALE);
});
