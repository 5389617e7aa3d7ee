import { afterAll, beforeAll, expect, it } from "vitest";
import { describeCluster, Place, waitUntil } from "../support/place.ts";

let place: Place;
beforeAll(async () => {
  place = await Place.make();
});
afterAll(() => place.dispose());

it("follows a log and a list through a server that is killed, loses nothing, doubles nothing, and says so", async () => {
  await place.must("up", "--detach");
  const { port } = new URL(place.url);
  place.write("slow.yaml", describeCluster("slow", { workers: 10, ms: 1_500 }));
  await place.must("apply", "-f", "slow.yaml");
  const logs = place.drover("logs", "-f", "slow", "-o", "json");
  const watch = place.drover("get", "clusters", "--watch");
  await waitUntil(() => logs.seen.out.includes("\n") && watch.seen.out.includes("slow"), "the first line");

  process.kill(place.pid, "SIGKILL");
  await waitUntil(() => logs.seen.err.includes("lost") && watch.seen.err.includes("lost"), "the loss to be told");
  await place.must("up", "--detach", "--port", port);

  expect((await logs.ended).code).toBe(0);
  const lines = logs.seen.out
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { line: number }).line);
  expect(lines.length).toBeGreaterThan(10);
  expect(lines).toEqual(lines.map((_, at) => at + 1));
  expect(logs.seen.err).toMatch(
    /Connection lost after line \d+ .*\nConnection is back: resumed at line \d+, 0 lost\.\n/,
  );

  await waitUntil(() => /^slow +Running/m.test(watch.seen.out), "the list to show how it ended");
  watch.child.kill("SIGINT");
  expect((await watch.ended).code).toBe(0);
  expect(watch.seen.err).toContain("Connection is back: resumed behind the last event, 0 lost.");
});

it("waits for a job through a restart in good order, which brings another token", async () => {
  await place.run("up", "--detach");
  place.write("calm.yaml", describeCluster("calm", { workers: 5, ms: 1_000 }));
  const wait = place.drover("apply", "-f", "calm.yaml", "--wait");
  await waitUntil(() => wait.seen.err.includes("step "), "the first step");
  await place.must("down");
  await place.must("up", "--detach");
  const { code, err } = await wait.ended;
  expect(code, err).toBe(0);
  expect(err).toMatch(/The job goes on without it; trying again …\nConnection is back\.\n[\s\S]*succeeded in/);
});

it("stops waiting on Ctrl+C, and the job goes on", async () => {
  await place.run("up", "--detach");
  place.write("left.yaml", describeCluster("left", { workers: 3, ms: 1_000 }));
  const wait = place.drover("apply", "-f", "left.yaml", "--wait");
  await waitUntil(() => wait.seen.err.includes("step "), "the first step");
  wait.child.kill("SIGINT");
  const { code, err } = await wait.ended;
  expect(code).toBe(130);
  expect(err).toContain("The job goes on. Follow it with `drover logs -f left`");
  await place.must("logs", "-f", "left");
  expect(await place.must("get", "cluster", "left")).toContain("Running");
});
