import { expect, it } from "vitest";
import { quoteWords } from "./shell-words.ts";

it("leaves plain words alone and quotes the rest", () => {
  expect(quoteWords(["drover", "get", "clusters", "-l", "env=prod"])).toBe("drover get clusters -l env=prod");
  expect(quoteWords(["a b", "it's", "$(rm)", ""])).toBe("'a b' 'it'\\''s' '$(rm)' ''");
});
