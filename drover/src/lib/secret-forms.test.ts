import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { secretForms } from "./secret-forms.ts";

const holds = (secret: string, text: string): boolean => secretForms(secret).some((form) => text.includes(form));

describe("secretForms", () => {
  it("does not look for what anybody guesses", () => {
    expect(secretForms("")).toEqual([]);
    expect(secretForms(" \n")).toEqual([]);
    expect(secretForms("ab")).toEqual([]);
    expect(secretForms("abc")).toContain("abc");
  });

  it("finds a secret within something that was encoded to base64 as a whole, at every offset", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 6 }).filter((text) => text.trim().length >= 6),
        fc.string({ unit: "binary" }),
        fc.string({ unit: "binary" }),
        (secret, before, after) => {
          const whole = Buffer.from(before + secret.trim() + after);
          expect(holds(secret, whole.toString("base64"))).toBe(true);
          expect(holds(secret, whole.toString("base64url"))).toBe(true);
        },
      ),
    );
  });

  it("finds it in a URL and in a form", () => {
    const secret = "p@ss w/rd*!";
    expect(holds(secret, `https://x/?q=${encodeURIComponent(secret)}`)).toBe(true);
    expect(
      holds(
        secret,
        encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
      ),
    ).toBe(true);
    expect(holds(secret, new URLSearchParams({ secret }).toString())).toBe(true);
  });

  it("finds it in JSON", () => {
    const secret = 'a"quoted\\one';
    expect(holds(secret, JSON.stringify({ secret }))).toBe(true);
  });

  it("finds the long words of a text of several lines, however it is indented", () => {
    const key = `-----BEGIN KEY-----\n${"A1b2".repeat(16)}\n${"C3d4".repeat(16)}\n-----END KEY-----\n`;
    expect(holds(key, `    ${"C3d4".repeat(16)}`)).toBe(true);
    expect(secretForms(`apiVersion: v1\ntoken: ${"x".repeat(30)}`)).not.toContain("apiVersion:");
  });

  it("knows the base64 of a file with the line end that belongs to it", () => {
    expect(holds("hunter2\n", Buffer.from("hunter2\n").toString("base64"))).toBe(true);
    expect(secretForms("hunter2\n")).toContain("hunter2");
  });

  it("does not choke on half a surrogate pair", () => {
    expect(secretForms("abc\ud800def")).not.toEqual([]);
  });

  it("keeps to the text itself when it is very long", () => {
    expect(secretForms("x".repeat(100_000)).length).toBeLessThan(3);
  });
});
