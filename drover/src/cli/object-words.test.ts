import { expect, it } from "vitest";
import { dropObjectWords } from "./object-words.ts";

it.each([
  ["delete cluster demo --yes", "delete demo --yes"],
  ["delete clusters a b", "delete a b"],
  ["describe cluster/demo", "describe demo"],
  ["delete cluster", "delete cluster"],
  ["delete cluster --yes", "delete cluster --yes"],
  ["create cluster demo", "create cluster demo"],
  ["get clusters demo", "get clusters demo"],
  ["logs demo/3", "logs demo/3"],
  ["", ""],
])("reads `%s` as `%s`", (written, meant) => {
  expect(dropObjectWords(written.split(" ")).join(" ")).toBe(meant);
});
