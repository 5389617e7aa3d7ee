import { afterAll, beforeAll, describe, it } from "vitest";
import { makeBareTree } from "./bare-tree.ts";
import { expectFailingTests, expectPassingTests, expectStart, expectStartAgain } from "./expect-tree.ts";
import { ON_NODE_24 } from "./machines.ts";

describe("a bare tree on Node.js 24 with the npm of this machine", () => {
  const tree = { folder: "", remove: () => {} };
  beforeAll(() => {
    Object.assign(tree, makeBareTree());
  });
  afterAll(() => tree.remove());

  it("runs npm test before anything else was run", async () => {
    await expectPassingTests(ON_NODE_24, tree.folder, "scripts/lib/count-tests");
  });

  it("ends npm test with a failure when a test fails", async () => {
    await expectFailingTests(ON_NODE_24, tree.folder);
  });

  it("starts with one command, serves the page on loopback, and ends when npm is asked to", async () => {
    await expectStart(ON_NODE_24, tree.folder);
  });

  it("starts again without installing or building", async () => {
    await expectStartAgain(ON_NODE_24, tree.folder);
  });
});
