import { expect, it } from "vitest";
import { OPTION_NAMES, OPTIONS } from "./options.ts";

const all = OPTION_NAMES.map((name) => OPTIONS[name]);

it("gives each option a flag and a variable of its own", () => {
  expect(new Set(all.map(({ flag }) => flag)).size).toBe(all.length);
  expect(new Set(all.map(({ env }) => env)).size).toBe(all.length);
});

it("uses no variable that Kubernetes sets beside a Service called drover", () => {
  for (const { env } of all) expect(env).not.toMatch(/^DROVER_(PORT|SERVICE)(_|$)/);
});

it("says in sentences what each option does and why its default is what it is", () => {
  for (const { description, reason } of all) {
    expect(description).toMatch(/^[A-Z].*\.$/);
    expect(reason).toMatch(/^[A-Z].*\.$/);
  }
});
