import { expect, it } from "vitest";
import { makeCell, makeRow, renderTable } from "./table.ts";

it("lines columns up, also under wide letters", () => {
  expect(
    renderTable(
      ["NAME", "PHASE"],
      [
        ["开发", "Running"],
        ["a", "Pending"],
      ],
    ),
  ).toBe("NAME   PHASE\n开发   Running\na      Pending\n");
});

it("shows only titles when there is nothing", () => {
  expect(renderTable(["NAME", "AGE"], [])).toBe("NAME   AGE\n");
});

it("keeps a cell on its line, and control characters off the terminal", () => {
  expect(makeCell("two\nlines \x1b[2Jgone")).toBe("two lines  [2Jgone");
  expect(makeCell("")).toBe("-");
  expect(makeRow([{ title: "A", value: (n: number) => `${n}` }], 3)).toEqual(["3"]);
});
