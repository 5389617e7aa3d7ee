import { expect, it } from "vitest";
import { findPages, joinPages } from "./use-keyset-pages.ts";
import { mergeOrder } from "./use-settled-order.ts";

it("shows a row once that is in two pages for a moment", () => {
  const page = (...items: string[]) => ({ items, next: null });
  expect(joinPages([page("a", "b"), undefined, page("b", "c")], (row) => row)).toEqual(["a", "b", "c"]);
});

it("keeps the order, takes away what is gone, and puts what was read further down behind", () => {
  expect(mergeOrder(["a", "b", "c"], ["a", "b", "c", "d", "e"])).toEqual({
    order: ["a", "b", "c", "d", "e"],
    moved: 0,
  });
  expect(mergeOrder(["a", "b", "c"], ["a", "c"])).toEqual({ order: ["a", "c"], moved: 0 });
});

it("lets rows that changed their place, or are new in the middle, wait", () => {
  expect(mergeOrder(["a", "b", "c"], ["c", "a", "b"])).toEqual({ order: ["a", "b", "c"], moved: 3 });
  expect(mergeOrder(["a", "c"], ["a", "b", "c"])).toEqual({ order: ["a", "c"], moved: 1 });
});

it("finds the pages that rows are on, also while one of them is not read yet", () => {
  const page = (count: number) => ({ items: Array.from({ length: count }), next: null });
  const pages = [page(100), page(100), undefined, page(40)];
  expect(findPages(pages, 0, 99)).toEqual({ first: 0, last: 0 });
  expect(findPages(pages, 90, 205)).toEqual({ first: 0, last: 3 });
  expect(findPages(pages, 150, 500)).toEqual({ first: 1, last: 3 });
  expect(findPages([], 0, 0)).toEqual({ first: 0, last: 0 });
});
