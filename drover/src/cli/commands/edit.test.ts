import { readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runTestCli } from "../../../test/cli.ts";
import { sampleCluster } from "../../../test/contract-samples.ts";
import { sendJson, sendProblem, startContractServer } from "../../../test/contract-server.ts";

/** A server whose cluster `demo` is changed by somebody else after so many reads. */
async function serveCluster({ othersAfter = Number.POSITIVE_INFINITY } = {}) {
  let reads = 0;
  const generation = () => (reads > othersAfter ? 2 : 1);
  return await startContractServer({
    "GET /api/v1/clusters/demo": (_, response) => {
      reads += 1;
      sendJson(response, sampleCluster("demo", { generation: generation() }), 200, { etag: `"${generation()}.x"` });
    },
    "PUT /api/v1/clusters/demo": ({ headers, body }, response) => {
      if (headers["if-match"] === '"1.x"' && Number.isFinite(othersAfter)) {
        sendProblem(response, "generation-conflict", "It has changed.");
      } else if (JSON.parse(body).spec.colour !== undefined) {
        const problem = {
          path: "spec.colour",
          code: "unknown-field",
          message: "No such field. (line 1)",
          next: "Remove it.",
        };
        sendProblem(response, "validation-failed", "Refused.", { problems: [problem] });
      } else sendJson(response, { cluster: "demo", generation: 3, jobId: "j" }, 202);
    },
  });
}

const puts = (asked: readonly { method: string; body: string }[]) => asked.filter(({ method }) => method === "PUT");
const moreWorkers = (text: string) => text.replace("workers: 1", "workers: 2 # enough for now");

describe("drover edit", () => {
  it("shows what may be changed, and declares what was typed", async () => {
    const { url, asked } = await serveCluster();
    let shown = "";
    const edits = [
      (text: string) => {
        shown = text;
        return moreWorkers(text);
      },
    ];
    const { code, out } = await runTestCli(url, ["edit", "demo"], { edits });
    expect([code, out]).toEqual([0, expect.stringContaining("cluster/demo changed")]);
    expect(shown).not.toMatch(/status|generation|creationTimestamp/);
    expect(JSON.parse(puts(asked)[0]?.body ?? "").spec.simulated.workers).toBe(2);
  });

  it.each([
    ["nothing was typed", (text: string) => text],
    ["everything was removed", () => "#! a note\n"],
  ])("changes nothing when %s", async (_, edit) => {
    const { url, asked } = await serveCluster();
    const { code, out } = await runTestCli(url, ["edit", "demo"], { edits: [edit] });
    expect([code, out, puts(asked)]).toEqual([0, "cluster/demo unchanged\n", []]);
  });

  it("comes back with every problem and what was typed, comments too", async () => {
    const { url, asked } = await serveCluster();
    let second = "";
    const edits = [
      (text: string) => `${moreWorkers(text)}  colour: red\n`,
      (text: string) => {
        second = text;
        return text.replace("  colour: red\n", "");
      },
    ];
    const { code } = await runTestCli(url, ["edit", "demo"], { edits });
    expect([code, puts(asked).length]).toEqual([0, 2]);
    expect(second).toMatch(/^#! .*refused/);
    expect(second).toMatch(/#! .*demo\.yaml:\d+: spec\.colour: No such field\. Remove it\./);
    expect(second).toContain("workers: 2 # enough for now");
  });

  it("shows what somebody else changed meanwhile, and goes on top of that", async () => {
    const { url, asked } = await serveCluster({ othersAfter: 1 });
    let second = "";
    const edits = [
      moreWorkers,
      (text: string) => {
        second = text;
        return text.replace("workers: 2", "workers: 3");
      },
    ];
    const { code } = await runTestCli(url, ["edit", "demo"], { edits });
    expect(code).toBe(0);
    expect(second).toMatch(/^#! Somebody else changed the cluster/);
    expect(second).toContain("workers: 2 # enough for now");
    expect(puts(asked)).toHaveLength(2);
  });

  it("gives up when a refused document is saved as it is, and keeps it", async () => {
    const { url } = await serveCluster();
    const edits = [(text: string) => `${text}  colour: red\n`, (text: string) => text];
    const { code, err } = await runTestCli(url, ["edit", "demo"], { edits });
    expect(code).toBe(2);
    const [, file = ""] = /kept in (\S+)\.\n/.exec(err) ?? [];
    onTestFinished(() => rmSync(dirname(file), { recursive: true }));
    expect(readFileSync(file, "utf8")).toContain("colour: red");
  });
});
