import { expect, test } from "vitest";
import { describeOldNode } from "./node-version.mjs";

test.each(["20.19.0", "20.20.2", "22.0.0", "24.21.0", "26.10.0"])("accepts Node.js %s", (version) => {
  expect(describeOldNode(version)).toBeUndefined();
});

test.each(["12.22.12", "18.20.8", "20.18.3"])("refuses Node.js %s in one sentence that says what to do", (version) => {
  expect(describeOldNode(version)).toBe(
    `Drover needs Node.js 20.19 or newer, and this is ${version}: install a newer Node.js, then run the same command again.`,
  );
});
