import { expect, it } from "vitest";
import { startCli } from "../../test/cli.ts";
import { sampleJob, sampleStep } from "../../test/contract-samples.ts";
import { json, sendJson, startContractServer } from "../../test/contract-server.ts";
import { waitUntil } from "../../test/wait-for.ts";

const JOB = sampleJob("Processing");
const AT = `/api/v1/jobs/${JOB.id}`;
const RETRY = ["retry", "demo", "--wait"];

/** A server on which a job goes through these looks; the last one stays. */
async function serveJob(looks: readonly object[]) {
  let at = -1;
  return await startContractServer({
    "POST /api/v1/clusters/demo/retry": json({ cluster: "demo", generation: 1, jobId: JOB.id }, 202),
    [`GET ${AT}`]: (_, response) => {
      at = Math.min(at + 1, looks.length - 1);
      sendJson(response, looks[at]);
    },
    [`GET ${AT}/graph`]: (_, response) =>
      sendJson(response, { planHash: null, steps: [sampleStep("a", at === 0 ? "Running" : "Succeeded")] }),
    [`GET ${AT}/log`]: json({ lines: [], last: 0, total: 0 }),
  });
}

it.each([
  [0, sampleJob("Succeeded"), /create succeeded in 12s/],
  [
    4,
    sampleJob("Failed", { error: { code: "step-failed", message: "No room." } }),
    /failed after 12s: No room. \(step-failed\)\nRead `drover logs demo`/,
  ],
  [5, sampleJob("Canceled"), /was cancelled after 12s/],
])("ends with %i as the job ends", async (expected, end, said) => {
  const { url } = await serveJob([JOB, end]);
  const { running, seen } = startCli(url, RETRY);
  expect(await running).toBe(expected);
  expect(seen.err).toMatch(said);
  expect(seen.err).toContain("demo create: step 0/1 50 % Running: Make a\n");
  expect(seen.err).toContain("demo create: step 1/1 50 % Succeeded: Make a\n");
  expect(seen.err).not.toContain("\x1b");
});

it("draws in place on a screen", async () => {
  const { url } = await serveJob([JOB, sampleJob("Succeeded")]);
  const { running, seen } = startCli(url, RETRY, { screen: true });
  expect(await running).toBe(0);
  expect(seen.err).toMatch(/█ *░.* 50 % {2}step 0\/1, 3s left\n {2}Make a\n/);
  expect(seen.err).toContain("Make a\n\x1b[2A\x1b[0J");
});

it("says on Ctrl+C that the job goes on, and how to follow and cancel it", async () => {
  const { url, asked } = await serveJob([JOB]);
  const { running, seen, interrupt } = startCli(url, RETRY);
  await waitUntil(() => seen.err.includes("step 0/1"));
  interrupt();
  expect(await running).toBe(130);
  expect(seen.err).toMatch(
    /The job goes on\. Follow it with `drover logs -f demo`, cancel it with `drover cancel demo`\.\n$/,
  );
  expect(asked.some(({ url: path }) => path.endsWith("/cancel"))).toBe(false);
});

it("waits through a server that goes away for a while", async () => {
  let looks = 0;
  const { url } = await startContractServer({
    "POST /api/v1/clusters/demo/retry": json({ cluster: "demo", generation: 1, jobId: JOB.id }, 202),
    [`GET ${AT}`]: (_, response) => {
      looks += 1;
      if (looks === 2) response.destroy();
      else sendJson(response, looks < 2 ? JOB : sampleJob("Succeeded"));
    },
    [`GET ${AT}/graph`]: json({ planHash: null, steps: [] }),
    [`GET ${AT}/log`]: json({ lines: [], last: 0, total: 0 }),
  });
  const { running, seen } = startCli(url, RETRY);
  expect(await running).toBe(0);
  expect(seen.err).toMatch(/The job goes on without it; trying again …\nConnection is back\.\n/);
});
