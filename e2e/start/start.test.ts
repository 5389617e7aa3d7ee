import { afterAll, beforeAll, describe, it } from "vitest";
import { makeBareTree } from "./bare-tree.ts";
import { expectFailingTests, expectPassingTests, expectStart, expectStartAgain } from "./expect-tree.ts";
import { THIS_NODE_NPM_10 } from "./machines.ts";

describe("a bare tree on this Node.js with npm 10", () => {
  const tree = { folder: "", remove: () => {} };
  beforeAll(() => {
    Object.assign(tree, makeBareTree());
  });
  afterAll(() => tree.remove());

  it("starts with one command, serves the page on loopback, and ends when npm is asked to", async () => {
    await expectStart(THIS_NODE_NPM_10, tree.folder);
  });

  it("starts again without installing or building", async () => {
    await expectStartAgain(THIS_NODE_NPM_10, tree.folder);
  });

  it("closes npm test with a line that counts", async () => {
    await expectPassingTests(THIS_NODE_NPM_10, tree.folder, "scripts/lib/count-tests");
  });

  it("ends npm test with a failure when a test fails", async () => {
    await expectFailingTests(THIS_NODE_NPM_10, tree.folder);
  });
});
