import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { type Run, runNpm, type Tools, waitFor } from "./run-npm.ts";

/** Installing and building included; only what hangs takes longer. */
const START_MS = 300_000;

/** `npm start` in a folder until it serves its page; the test ends it if nobody does. */
async function start(tools: Tools, folder: string): Promise<{ run: Run; url: string }> {
  const run = runNpm(tools, folder, "start", "--", "--port", "0");
  onTestFinished(() => void run.child.kill("SIGKILL"));
  const [, url = ""] = await waitFor(run, /Web page\s+(http:\/\/127\.0\.0\.1:\d+\/)/, START_MS);
  return { run, url };
}

export async function expectStart(tools: Tools, folder: string): Promise<void> {
  const { run, url } = await start(tools, folder);
  const page = await fetch(url);
  expect(page.status).toBe(200);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  const html = await page.text();
  const scripts = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = ""]) => path);
  expect(scripts.length).toBeGreaterThanOrEqual(3);
  for (const path of scripts) expect((await fetch(new URL(path, url))).status, path).toBe(200);
  expect(await (await fetch(`${url}api/v1/version`)).json()).toMatchObject({ name: "drover" });
  expect((await fetch(`${url}readyz`)).status).toBe(200);
  expect(existsSync(join(folder, "data/drover.db"))).toBe(true);

  run.child.kill("SIGTERM");
  await run.ended;
  await expect(fetch(url)).rejects.toThrow();
}

export async function expectStartAgain(tools: Tools, folder: string): Promise<void> {
  const { run } = await start(tools, folder);
  expect(run.output()).not.toMatch(/Installing|Building/);
  run.child.kill("SIGTERM");
  await run.ended;
}

export async function expectPassingTests(tools: Tools, folder: string, which: string): Promise<void> {
  const run = runNpm(tools, folder, "test", "--", which);
  expect(await run.ended, run.output()).toBe(0);
  expect(run.output().trimEnd().split("\n").at(-1)).toMatch(/^[1-9]\d* passed, 0 failed$/);
}

export async function expectFailingTests(tools: Tools, folder: string): Promise<void> {
  const run = runNpm(tools, folder, "test", "--", "no/such/test");
  expect(await run.ended).not.toBe(0);
  expect(run.output()).toMatch(/^0 passed, 1 failed$/m);
}
