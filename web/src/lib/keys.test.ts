import { expect, it } from "vitest";
import { matchKeys } from "./keys.ts";

const press = (key: string, at = 0, mod = false) => ({ key, at, mod });
const bound = ["j", "g c", "mod k", "c", "?"];

it("finds single keys and keys with Ctrl", () => {
  expect(matchKeys(bound, press("j"), undefined)).toBe("j");
  expect(matchKeys(bound, press("K", 0, true), undefined)).toBe("mod k");
  expect(matchKeys(bound, press("k"), undefined)).toBeUndefined();
  expect(matchKeys(bound, press("j", 0, true), undefined)).toBeUndefined();
});

it("takes two keys in a row for one, unless time has passed", () => {
  expect(matchKeys(bound, press("c", 500), press("g", 0))).toBe("g c");
  expect(matchKeys(bound, press("c", 1_500), press("g", 0))).toBe("c");
});
