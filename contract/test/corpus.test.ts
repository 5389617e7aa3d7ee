import { describe, expect, it } from "vitest";
import { PROBLEMS, type ProblemCode, validateCluster } from "../src/index.ts";
import { CORPUS } from "./corpus/index.ts";

/** Of texts that are not read at all, of values that JSON cannot hold, of long lists, of other clusters and of kubeconfigs. */
const FOUND_ELSEWHERE: ReadonlySet<string> = new Set([
  ...["bad-syntax", "duplicate-key", "alias-refused", "document-too-large", "not-plain-data", "too-many-problems"],
  ...["port-taken", "network-taken", "address-taken", "branch-taken", "kubeconfig-dangerous"],
  // Of machines, not of documents.
  ...Object.keys(PROBLEMS).filter((code) => code.startsWith("machine-")),
]);

describe("the corpus of documents", () => {
  it("has at least a hundred, each told apart by its title", () => {
    expect(CORPUS.length).toBeGreaterThanOrEqual(100);
    expect(new Set(CORPUS.map(({ title }) => title)).size).toBe(CORPUS.length);
  });

  it("has a document for every problem that one document can have by itself", () => {
    const found = new Set(CORPUS.flatMap(({ problems }) => problems.map(([code]) => code)));
    const missing = Object.keys(PROBLEMS).filter(
      (code) => !found.has(code as ProblemCode) && !FOUND_ELSEWHERE.has(code),
    );
    expect(missing).toEqual([]);
  });

  it.each(CORPUS)("judges $title", ({ document, problems }) => {
    const before = JSON.stringify(document);
    const result = validateCluster(document);
    const found = result.ok ? [] : result.problems.map(({ code, path }) => [code, path]);
    expect(found.sort()).toEqual(problems.map((problem) => [...problem]).sort());
    expect(JSON.stringify(document)).toBe(before);
  });

  it.each(CORPUS.filter(({ problems }) => problems.length > 0))("says what to do about $title", ({ document }) => {
    const result = validateCluster(document);
    for (const problem of result.ok ? [] : result.problems) {
      expect(problem.message).toMatch(/^\S.*[.]$/u);
      expect(problem.next).toMatch(/^\S.*[.?]$/u);
      expect(PROBLEMS[problem.code]).toBeDefined();
    }
  });
});
