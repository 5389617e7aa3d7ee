import { afterAll, beforeAll, expect, it } from "vitest";
import { makeFuzzWorld } from "../../drover/test/fuzz/make-world.ts";
import { runFuzz } from "../../drover/test/fuzz/run-fuzz.ts";
import { Drover } from "./support/processes.ts";

const REQUESTS = 20_000;
const SEED = 20_000;
const WARM_UP = 1_000;
/** The longest that a request may keep all others waiting. */
const HELD_MS = 50;

let drover: Drover;
beforeAll(async () => {
  drover = await Drover.start("up", { flags: ["--rate-limit", "0", "--anonymous-rate-limit", "0"] });
});
afterAll(() => drover.dispose());

it(`answers ${REQUESTS} requests of any kind as announced, and is never held for long by one`, async () => {
  const world = await makeFuzzWorld({
    ask: async (method, path, body) => (await drover.ask(method, path, body)).json,
  });
  const { port } = new URL(drover.access.url);
  const target = { port: Number(port), world };
  // What is used for the first time is compiled then, which takes as long as the machine needs for it.
  await runFuzz({ ...target, requests: WARM_UP, seed: SEED + 1 });
  await drover.readLoop();
  const statuses = await runFuzz({ ...target, requests: REQUESTS, seed: SEED });
  const loop = await drover.readLoop();
  process.stdout.write(`${JSON.stringify({ statuses: Object.fromEntries(statuses), loop })}\n`);
  expect((await drover.ask("GET", "/api/v1/audit/verify")).json).toMatchObject({ intact: true });
  expect(drover.said).not.toMatch(/request failed|"level":50/);
  expect(loop.heldMs).toBeLessThan(HELD_MS);
});
