import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestServer } from "../../../test/http.ts";
import { ok, warning } from "../../domain/finding.ts";
import { hostReportKey } from "../../domain/host-report.ts";
import type { Json } from "../../ports/store/index.ts";

let test: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  test = await openTestServer();
});
afterAll(() => test.dispose());

it("lists what each worker says of its machine, and images only to those who see every cluster", async () => {
  const findings = [ok("Docker", "29.1.0"), warning("Images", "secret/app:1 is not there", "docker pull secret/app:1")];
  const data = { host: "h1", at: Date.parse("2026-11-15T10:00:00Z"), findings } as unknown as Json;
  await test.store.leases.acquireLease({ key: hostReportKey("w1"), holder: "w1", ttlMs: 60_000, data });
  const all = await test.ask("GET", "/api/v1/doctor", { as: "viewer" });
  expect(all.json).toEqual({
    items: [{ worker: "w1", host: "h1", checkedTime: "2026-11-15T10:00:00.000Z", findings }],
  });
  const scoped = await test.ask("GET", "/api/v1/doctor", { as: await test.makeToken("viewer", ["env=dev"]) });
  expect(scoped.text).toContain("29.1.0");
  expect(scoped.text).not.toContain("secret/app");
});
