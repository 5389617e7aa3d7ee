import { describe, expect, it } from "vitest";
import { makeLineOf, readDocuments } from "./read-documents.ts";

const codesOf = (text: string): string[] => {
  const read = readDocuments(text);
  return read.ok ? [] : [...new Set(read.problems.map(({ code }) => code))];
};

describe("reading documents", () => {
  it("reads YAML, JSON and several documents", () => {
    const read = readDocuments('a: 1\n---\n{"b": [2]}\n');
    expect(read.ok && read.documents.map(({ data }) => data)).toEqual([{ a: 1 }, { b: [2] }]);
  });

  it("finds the line of a path, or of what is nearest above it", () => {
    const read = readDocuments("spec:\n  ssh:\n    nodes:\n      - name: a\n      - name: b\n        address: x\n");
    const lineOf = makeLineOf(read.ok && read.documents[0] ? read.documents[0] : { lines: "" });
    expect(lineOf("spec.ssh.nodes[1].address")).toBe(6);
    expect(lineOf("spec.ssh.nodes[1].roles")).toBe(5);
    expect(lineOf("")).toBe(1);
  });

  it("tells all syntax errors with their places", () => {
    const read = readDocuments("a: b: c\nd: [1\ne: 2\n");
    expect(read.ok).toBe(false);
    if (read.ok) return;
    expect(read.problems.length).toBeGreaterThan(1);
    expect(read.problems[0]?.message).toMatch(/^Line 1, column \d+: /);
  });

  it("refuses a key that occurs twice, naming the line of the second", () => {
    const read = readDocuments("spec:\n  a: 1\n  a: 2\n");
    expect(read.ok ? [] : read.problems).toMatchObject([
      { code: "duplicate-key", message: expect.stringMatching(/^Line 3/) },
    ]);
  });

  it.each([
    ["aliases", "a: &x [1]\nb: [*x, *x]\n", "alias-refused"],
    ["ten megabytes", "a".repeat(10_000_000), "document-too-large"],
    ["a hundred thousand items", `a:\n${"- x\n".repeat(60_000)}`, "document-too-large"],
    ["a hundred thousand keys on one line", "a: b ".repeat(50_000), "document-too-large"],
    ["open brackets", "[".repeat(200_000), "document-too-deep"],
    ["open braces", '{"a":'.repeat(7_000), "document-too-deep"],
    ["nested dashes", "- ".repeat(3_900), "document-too-deep"],
    ["deep indentation", `a:\n${" ".repeat(3_000)}b: 1\n`, "document-too-deep"],
    ["a thousand mistakes", "\ta: ]\n".repeat(1_500), "bad-syntax"],
  ])("refuses %s before it costs anything", (_name, text, code) => {
    expect(codesOf(text)).toContain(code);
  });

  it("does not let a document reach the prototype of objects", () => {
    const read = readDocuments(
      '{"__proto__": {"polluted": true}, "a": {"constructor": {"prototype": {"polluted": true}}}}',
    );
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(read.ok && Object.getPrototypeOf(read.documents[0]?.data)).toBe(Object.prototype);
  });
});
