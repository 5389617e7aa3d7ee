import { expect, it } from "vitest";
import { readLocalPath } from "./local-path.ts";

it.each(["/clusters/dev?tab=log#line-7", "/", "/a//b", "/clusters?selector=env%3Dprod"])("goes to %s", (path) => {
  expect(readLocalPath(path)).toBe(path);
});

it.each([
  undefined,
  "",
  "clusters",
  "//evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "https://evil.example/",
  "javascript:alert(1)",
  "/\t/evil.example",
  "/\n/evil.example",
  "/./\\evil.example",
  "/..//evil.example",
  "/api/v1/logout",
  "/api",
  "/x/../api/v1/logout",
])("stays at the front page for %j", (path) => {
  expect(readLocalPath(path)).toBe("/");
});
