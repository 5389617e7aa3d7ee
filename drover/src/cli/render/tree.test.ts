import { expect, it } from "vitest";
import { renderTree } from "./tree.ts";

it("draws branches with lines, and lines their cells up", () => {
  const nodes = [{ cells: ["n-1", "Ready"] }, { cells: ["node-10", "NotReady"] }];
  const tree = { cells: ["demo", "Running"], branches: [{ cells: ["Nodes"], branches: nodes }, { cells: ["Job"] }] };
  expect(renderTree(tree)).toBe(
    ["demo   Running", "├─ Nodes", "│  ├─ n-1       Ready", "│  └─ node-10   NotReady", "└─ Job", ""].join("\n"),
  );
});
