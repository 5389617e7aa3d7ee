import { describe, expect, it } from "vitest";
import { runTestCli } from "../../../test/cli.ts";
import { sampleCluster } from "../../../test/contract-samples.ts";
import { json, sendProblem, startContractServer } from "../../../test/contract-server.ts";

const gone = (cluster: string) => json({ cluster, generation: 2, jobId: "j" }, 202);
const start = () =>
  startContractServer({
    "DELETE /api/v1/clusters/demo": gone("demo"),
    "DELETE /api/v1/clusters/dev-1": gone("dev-1"),
    "DELETE /api/v1/clusters/prod": (_, response) => sendProblem(response, "cluster-protected", "prod is protected."),
    "GET /api/v1/clusters": json({ items: [sampleCluster("demo"), sampleCluster("dev-1")], next: null }),
  });
const deleted = (asked: readonly { method: string }[]) => asked.filter(({ method }) => method === "DELETE").length;

describe("drover delete", () => {
  it("deletes once the name was typed", async () => {
    const { url, asked } = await start();
    const { code, out, asked: questions } = await runTestCli(url, ["delete", "demo"], { answers: ["demo"] });
    expect([code, deleted(asked)]).toEqual([0, 1]);
    expect(out).toContain("cluster/demo is being deleted");
    expect(questions).toEqual([expect.stringContaining("Type demo to go on")]);
  });

  it.each([
    ["another name was typed", ["delete", "demo"], ["yes"], /"yes" is not demo/],
    ["nobody is there to ask", ["delete", "demo"], null, /add --yes/],
    ["the number is wrong", ["delete", "-l", "env=dev"], ["demo"], /is not 2/],
    ["nothing was named", ["delete", "--yes"], null, /or select them with -l/],
    ["both ways were used", ["delete", "demo", "-l", "a=b", "--yes"], null, /not both/],
  ])("deletes nothing when %s", async (_, args, answers, reason) => {
    const { url, asked } = await start();
    const { code, err } = await runTestCli(url, args, { answers });
    expect([code, deleted(asked)]).toEqual([2, 0]);
    expect(err).toMatch(reason);
  });

  it("deletes all that a selector meets with --yes, and none with --dry-run", async () => {
    const { url, asked } = await start();
    expect((await runTestCli(url, ["delete", "-l", "env=dev", "--dry-run"])).out).toMatch(
      /demo would.*\n.*dev-1 would/,
    );
    expect(deleted(asked)).toBe(0);
    expect((await runTestCli(url, ["delete", "-l", "env=dev", "--yes"])).code).toBe(0);
    expect(deleted(asked)).toBe(2);
  });

  it("says how to go on when the cluster is protected", async () => {
    const { url } = await start();
    const { code, err } = await runTestCli(url, ["delete", "prod", "--yes"]);
    expect(code).toBe(1);
    expect(err).toBe(
      "prod is protected. (cluster-protected)\nTake the protection off first with `drover unprotect`.\n",
    );
  });
});
