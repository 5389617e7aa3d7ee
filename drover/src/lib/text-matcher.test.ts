import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type MatchState, START, TextMatcher } from "./text-matcher.ts";

function feed(matcher: TextMatcher, text: string): MatchState {
  let state: MatchState = START;
  for (let index = 0; index < text.length; index++) state = matcher.next(state, text.charCodeAt(index));
  return state;
}

/** Few letters, so that texts overlap, contain and begin each other. */
const words = fc.string({ unit: fc.constantFrom("a", "b", "é"), minLength: 1, maxLength: 6 });

describe("TextMatcher", () => {
  it("finds the longest text that ends at a place", () => {
    const matcher = new TextMatcher(["she", "he", "hers"]);
    expect(matcher.found(feed(matcher, "ushe"))).toBe(3);
    expect(matcher.found(feed(matcher, "the"))).toBe(2);
    expect(matcher.found(feed(matcher, "ushers"))).toBe(4);
    expect(matcher.found(feed(matcher, "ush"))).toBe(0);
  });

  it("agrees with a plain search at every place of any stream", () => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 6 }), fc.array(words, { maxLength: 12 }), (texts, parts) => {
        const matcher = new TextMatcher(texts);
        const stream = parts.join("");
        let state: MatchState = START;
        for (let end = 1; end <= stream.length; end++) {
          state = matcher.next(state, stream.charCodeAt(end - 1));
          const seen = stream.slice(0, end);
          const ending = texts.filter((text) => seen.endsWith(text)).map(({ length }) => length);
          expect(matcher.found(state)).toBe(Math.max(0, ...ending));
          const begun = beginnings(texts).filter((text) => seen.endsWith(text));
          const longest = begun.reduce((best, text) => (text.length > best.length ? text : best), "");
          expect(matcher.depth(state)).toBe(longest.length);
          expect(matcher.textOf(state)).toBe(longest);
        }
      }),
    );
  });

  it("calls four units telling, or half of a shorter text", () => {
    const matcher = new TextMatcher(["correct-horse", "xyz", "horn"]);
    expect(matcher.telling(feed(matcher, "corr"))).toBe(4);
    expect(matcher.telling(feed(matcher, "cor"))).toBe(0);
    expect(matcher.telling(feed(matcher, "xy"))).toBe(2);
    expect(matcher.telling(feed(matcher, "correct-hor"))).toBe(11);
    expect(matcher.telling(feed(matcher, "a hor"))).toBe(3);
  });

  it("looks through a shorter beginning when the longer one tells nothing", () => {
    const matcher = new TextMatcher(["-xy-and-much-more", "xyz"]);
    expect(matcher.telling(feed(matcher, "-xy"))).toBe(2);
  });

  it("finds nothing when there is nothing to find", () => {
    const matcher = new TextMatcher([""]);
    expect(feed(matcher, "anything")).toBe(START);
  });
});

const beginnings = (texts: readonly string[]): readonly string[] =>
  texts.flatMap((text) => Array.from({ length: text.length }, (_, index) => text.slice(0, index + 1)));
