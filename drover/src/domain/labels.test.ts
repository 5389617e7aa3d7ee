import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LabelRequirement, LabelSelector } from "./labels.ts";
import { formatLabelSelector, MAX_SELECTOR_LENGTH, matchesLabels, parseLabelSelector } from "./labels.ts";

const names = fc.stringMatching(/^[A-Za-z0-9]([-A-Za-z0-9_.]{0,20}[A-Za-z0-9])?$/u);
const keys = fc.oneof(
  names,
  fc.tuple(fc.constantFrom("drover.dev", "a.b-c"), names).map((pair) => pair.join("/")),
);
const values = fc.oneof(fc.constant(""), names);
const requirements: fc.Arbitrary<LabelRequirement> = fc.oneof(
  fc.record({
    op: fc.constantFrom("in" as const, "notin" as const),
    key: keys,
    values: fc.uniqueArray(values, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ op: fc.constantFrom("exists" as const, "missing" as const), key: keys }),
);
const selectors = fc.array(requirements, { maxLength: 6 });

function parse(text: string): LabelSelector {
  const result = parseLabelSelector(text);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.selector;
}

function errorsOf(text: string): readonly { position: number; message: string }[] {
  const result = parseLabelSelector(text);
  return result.ok ? [] : result.errors;
}

describe("parseLabelSelector", () => {
  it("reads every operator", () => {
    expect(parse("a=b, c!=d ,e in (x, y),f notin (z),g,!h,i==j")).toEqual([
      { op: "in", key: "a", values: ["b"] },
      { op: "notin", key: "c", values: ["d"] },
      { op: "in", key: "e", values: ["x", "y"] },
      { op: "notin", key: "f", values: ["z"] },
      { op: "exists", key: "g" },
      { op: "missing", key: "h" },
      { op: "in", key: "i", values: ["j"] },
    ]);
  });

  it("takes an empty text for everything, and an empty value for an empty value", () => {
    expect(parse(" ")).toEqual([]);
    expect(parse("a=,b in (,x),c in ()")).toEqual([
      { op: "in", key: "a", values: [""] },
      { op: "in", key: "b", values: ["", "x"] },
      { op: "in", key: "c", values: [""] },
    ]);
  });

  it("reads the words in and notin as keys and values where a key or a value stands", () => {
    expect(parse("in in (in,notin),notin=in")).toEqual([
      { op: "in", key: "in", values: ["in", "notin"] },
      { op: "in", key: "notin", values: ["in"] },
    ]);
  });

  it.each([
    [",a", 0, "A label key is missing"],
    ["a,", 2, "A label key is missing"],
    ["=b", 0, 'A label key is missing before "="'],
    ["!", 1, "A label key is missing"],
    ["!a=b", 2, "Nothing may follow"],
    ["a b", 2, '"b" is no operator'],
    ["a>1", 1, '">" is no operator'],
    ["a=b c", 4, 'A comma is missing before "c"'],
    ["a==(b)", 3, 'A label value is missing before "("'],
    ["a in b", 5, "must be followed by a list"],
    ["a in", 4, "must be followed by a list"],
    ["a in (b", 7, "is not closed"],
    ["a in (b c)", 8, 'A comma is missing before "c"'],
    ["a in (b) c", 9, 'A comma is missing before "c"'],
    ["-a=b", 0, 'The label key "-a"'],
    ["A_b.D/x", 0, "The prefix of the label key"],
    ["/x", 0, "The prefix of the label key"],
    ["x/", 0, 'The label key "x/"'],
    ["a=b;drop", 2, 'The label value "b;drop"'],
    [`${"k".repeat(64)}=v`, 0, "1 to 63"],
    [`k=${"v".repeat(64)}`, 2, "at most 63"],
  ])("refuses %j at position %i", (text, position, message) => {
    expect(errorsOf(text)).toEqual([{ position, message: expect.stringContaining(message) }]);
  });

  it("reports every error at once", () => {
    expect(errorsOf("a=b,=c,d e,f in (g,h i),!").map(({ position }) => position)).toEqual([4, 9, 21, 25]);
  });

  it("refuses a text that is too long without reading it", () => {
    expect(errorsOf("a,".repeat(MAX_SELECTOR_LENGTH))).toHaveLength(1);
  });

  it("reads back what it writes", () => {
    fc.assert(
      fc.property(selectors, (selector) => {
        expect(parse(formatLabelSelector(selector))).toEqual(selector);
      }),
    );
  });

  it("answers any text with a selector or with errors inside the text", () => {
    const pieces = fc.array(
      fc.constantFrom("a", "in", "notin", "(", ")", ",", "=", "!=", "!", " ", "<", "é", "\u0000"),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          pieces.map((list) => list.join("")),
        ),
        (text) => {
          const result = parseLabelSelector(text);
          if (result.ok) return;
          expect(result.errors.length).toBeGreaterThan(0);
          for (const error of result.errors) {
            expect(error.position).toBeGreaterThanOrEqual(0);
            expect(error.position).toBeLessThanOrEqual(text.length);
          }
        },
      ),
    );
  });
});

describe("matchesLabels", () => {
  const labels = { env: "dev", tier: "", constructor: "own" };
  it.each([
    ["", true],
    ["env=dev", true],
    ["env=prod", false],
    ["env!=prod", true],
    ["env!=dev", false],
    ["other!=dev", true],
    ["env in (prod,dev)", true],
    ["env notin (prod,dev)", false],
    ["other notin (x)", true],
    ["other in (x)", false],
    ["tier", true],
    ["tier=", true],
    ["other=", false],
    ["!other", true],
    ["!env", false],
    ["env=dev,other", false],
    ["toString", false],
    ["constructor=own", true],
  ])("decides %j", (text, expected) => {
    expect(matchesLabels(parse(text), labels)).toBe(expected);
  });

  it("holds for every object either for a requirement or for its opposite", () => {
    const opposite = { in: "notin", notin: "in", exists: "missing", missing: "exists" } as const;
    fc.assert(
      fc.property(requirements, fc.dictionary(names, values), (requirement, some) => {
        const flipped = { ...requirement, op: opposite[requirement.op] } as LabelRequirement;
        expect(matchesLabels([requirement], some)).toBe(!matchesLabels([flipped], some));
      }),
    );
  });
});
