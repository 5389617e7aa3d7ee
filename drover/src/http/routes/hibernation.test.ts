import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestServer } from "../../../test/http.ts";

let test: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  test = await openTestServer();
});
afterAll(() => test.dispose());

const declare = async (name: string) => {
  const spec = { provider: "simulated", simulated: { latency: { minimumMs: 0, maximumMs: 0 } } };
  const body = { apiVersion: "drover.dev/v1alpha1", kind: "Cluster", metadata: { name }, spec };
  expect((await test.ask("POST", "/api/v1/clusters", { body: JSON.stringify(body) })).status).toBe(202);
};
const show = async (name: string) => (await test.ask("GET", `/api/v1/clusters/${name}`)).json["status"];
const ask = (name: string, verb: "hibernate" | "wake") =>
  test.ask("POST", `/api/v1/clusters/${name}/${verb}`, { body: { reason: "for the night" } });

it("stops a cluster, says so everywhere, and starts it again", async () => {
  await declare("night");
  expect((await ask("night", "hibernate")).json.code).toBe("cluster-not-ready");
  await test.settle();
  const asked = await ask("night", "hibernate");
  expect(asked.status).toBe(202);
  expect((await ask("night", "wake")).json.code).toBe("job-live");
  await test.settle();
  expect(await show("night")).toMatchObject({ phase: "Hibernated", hibernated: true, actualState: "running" });
  expect(await show("night")).toMatchObject({
    conditions: expect.arrayContaining([
      expect.objectContaining({ type: "Available", status: "False", reason: "Hibernated" }),
    ]),
  });
  expect((await test.ask("GET", "/api/v1/clusters?onlyReady=true")).json["items"]).toEqual([]);
  const nodes = await test.ask("GET", "/api/v1/clusters/night/nodes");
  expect([nodes.status, nodes.json.code]).toEqual([503, "cluster-not-ready"]);
  expect(nodes.json.detail).toContain("Hibernated");
  for (let pass = 0; pass < 2; pass += 1) await test.settle();
  expect(await show("night")).toMatchObject({ phase: "Hibernated" });
  await ask("night", "wake");
  await test.settle();
  expect(await show("night")).toMatchObject({ phase: "Running", actualState: "running" });
  expect(await show("night")).not.toHaveProperty("hibernated");
});

it("forgets a wish that was cancelled before anybody began it", async () => {
  await declare("whim");
  await test.settle();
  const { json } = await ask("whim", "hibernate");
  expect(
    (await test.ask("POST", `/api/v1/jobs/${json["jobId"] as unknown as string}/cancel`, { body: {} })).status,
  ).toBe(202);
  await test.settle();
  expect(await show("whim")).toMatchObject({ phase: "Running" });
});
