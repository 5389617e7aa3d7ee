import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GOOD } from "../../test/corpus/index.ts";
import { countReads } from "../../test/count-reads.ts";
import { guardDocument, LIMITS } from "./guard.ts";
import { validateCluster } from "./validate.ts";

const MEGABYTES_10 = 10 * 1024 * 1024;

function nested(depth: number): unknown {
  let value: unknown = {};
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** As parsing ten megabytes of text could give. */
const HUGE: readonly (readonly [title: string, make: () => unknown])[] = [
  ["one text", () => ({ metadata: { name: "x".repeat(MEGABYTES_10) } })],
  ["many texts", () => ({ spec: { list: Array.from({ length: 1000 }, () => "x".repeat(10_000)) } })],
  ["one list", () => ({ spec: { nodes: Array.from({ length: 1_000_000 }, () => ({})) } })],
  ["lists of lists", () => Array.from({ length: 1000 }, () => Array.from({ length: 1000 }, () => "12345"))],
  [
    "maps of maps",
    () => Array.from({ length: 1900 }, () => Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`key${n}`, n]))),
  ],
  [
    "a map of a hundred thousand keys",
    () => Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`key${n}`, n])),
  ],
  ["one key", () => ({ spec: { ["k".repeat(MEGABYTES_10)]: 1 } })],
  ["a tower", () => nested(5000)],
  [
    "shared parts that would unfold to billions",
    () => Array.from({ length: 30 }).reduce<unknown>((part) => [part, part], "lol"),
  ],
];

describe("guardDocument", () => {
  it.each(HUGE)("refuses %s of ten megabytes without reading it to its end, with code and path", (_, make) => {
    const { document, reads } = countReads(make());
    const result = validateCluster(document);
    // The length of a list is read with each of its items.
    expect(reads()).toBeLessThan(3 * LIMITS.values);
    expect(result.ok ? [] : result.problems.map(({ code }) => code)).toEqual([
      expect.stringMatching(/^document-too-(large|deep)$/),
    ]);
  });

  it("names a hundred of as many mistakes as fit into its limits", () => {
    const node = Object.fromEntries(Array.from({ length: 26 }, (_, n) => [`unknown${n}`, -1]));
    const nodes = Array.from({ length: 1000 }, () => ({ ...node }));
    const document = { ...(GOOD[0]?.document as object), spec: { provider: "ssh", ssh: { nodes } } };
    const result = validateCluster(document);
    expect(result.ok ? 0 : result.problems.length).toBe(101);
  });

  it("stops at exactly its depth", () => {
    expect(guardDocument(nested(LIMITS.depth - 1)).problems).toEqual([]);
    expect(guardDocument(nested(LIMITS.depth)).problems).toMatchObject([{ code: "document-too-deep" }]);
  });

  it("refuses a document that contains itself", () => {
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    expect(guardDocument(loop).problems).toMatchObject([{ code: "document-too-deep" }]);
  });

  it("changes no prototype, whatever the keys", () => {
    const document: unknown = JSON.parse(
      '{"__proto__":{"a":1},"spec":{"constructor":{"prototype":{"b":1}},"prototype":1}}',
    );
    const { problems, copy } = guardDocument(document);
    expect(problems.map(({ path, code }) => `${code} ${path}`)).toEqual([
      "forbidden-key __proto__",
      "forbidden-key spec.constructor",
      "forbidden-key spec.prototype",
    ]);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).a ?? ({} as Record<string, unknown>).b).toBeUndefined();
  });

  it.each<[string, unknown, string]>([
    ["a function", () => 1, "not-plain-data"],
    ["a date", new Date(0), "not-plain-data"],
    ["a big integer", 1n, "not-plain-data"],
    ["no number", Number.NaN, "not-plain-data"],
    ["infinity", Number.POSITIVE_INFINITY, "not-plain-data"],
    ["a bell", "a\u0007", "control-character"],
    ["a C1 control", "a\u0085", "control-character"],
    ["a deletion", "\u007f", "control-character"],
    ["half a pair", "\udc00x", "broken-text"],
  ])("refuses %s with its path", (_, value, code) => {
    expect(guardDocument({ a: [{ "b c": value }] }).problems).toMatchObject([{ code, path: 'a[0]["b c"]' }]);
  });

  it("lets whole characters, tabs and line ends pass, and copies what it lets pass", () => {
    const document = { text: "a\tb\r\n开发 🐑", list: [1, true, null, { x: -0.5 }] };
    const { copy, problems } = guardDocument(document);
    expect(problems).toEqual([]);
    expect(copy).toEqual(document);
    expect(copy).not.toBe(document);
  });

  it("judges any value at all without throwing", () => {
    fc.assert(
      fc.property(
        fc.anything({
          withNullPrototype: true,
          withBigInt: true,
          withDate: true,
          withMap: true,
          withSparseArray: true,
        }),
        (value) => {
          expect(validateCluster(value).ok).toBe(false);
        },
      ),
    );
  });
});
