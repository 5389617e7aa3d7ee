import { describe, it, onTestFinished } from "vitest";
import { makeBareTree } from "./bare-tree.ts";
import { expectPassingTests, expectStart } from "./expect-tree.ts";
import { ON_NODE_24, THIS_NODE } from "./machines.ts";

/** What the other tests do in one order, in the other: what is installed and built by one command serves the next. */
describe("a bare tree", () => {
  it("runs npm test alone on this Node.js", async () => {
    const tree = makeBareTree();
    onTestFinished(tree.remove);
    await expectPassingTests(THIS_NODE, tree.folder, "scripts/lib/count-tests");
  });

  it("starts with one command on Node.js 24, and runs npm test afterwards", async () => {
    const tree = makeBareTree();
    onTestFinished(tree.remove);
    await expectStart(ON_NODE_24, tree.folder);
    await expectPassingTests(ON_NODE_24, tree.folder, "scripts/lib/count-tests");
  });
});
