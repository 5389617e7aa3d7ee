import { expect, it } from "vitest";
import { meaningOf, moveKey, readKeyMap } from "./key-map.ts";

it("means what it was made with until it is put elsewhere", () => {
  const map = moveKey({}, "x", "m") ?? {};
  expect(meaningOf({}, "x")).toBe("x");
  expect(meaningOf(map, "m")).toBe("x");
  expect(meaningOf(map, "x")).toBeUndefined();
  expect(meaningOf(map, "Enter")).toBe("Enter");
  expect(moveKey(map, "x", "x")).toEqual({});
});

it("refuses a place that is taken, begins two keys in a row, or is no single character", () => {
  for (const chosen of ["j", "g", "", " ", "ab"]) expect(moveKey({}, "x", chosen), chosen).toBeUndefined();
  const freed = moveKey({}, "j", "n") ?? {};
  expect(moveKey(freed, "x", "j")).toEqual({ j: "n", x: "j" });
});

it.each([undefined, "nonsense", "null", "[]", '{"x":"j"}', '{"x":1}', '{"y":"z"}'])("takes nothing from %j", (text) => {
  expect(readKeyMap(text)).toEqual({});
});

it("reads what was kept", () => {
  expect(readKeyMap('{"x":"m","j":"n"}')).toEqual({ x: "m", j: "n" });
});
