import { expect, it } from "vitest";
import { runTestCli } from "../../../test/cli.ts";
import { startContractServer } from "../../../test/contract-server.ts";

it("prints environments.csv as the server has it", async () => {
  const csv = "name,provider\ndev,kind\n";
  const { url } = await startContractServer({
    "GET /api/v1/export/environments": (_asked, response) =>
      response.writeHead(200, { "content-type": "text/csv" }).end(csv),
  });
  const { code, out } = await runTestCli(url, ["export", "environments"]);
  expect([code, out]).toEqual([0, csv]);
});
