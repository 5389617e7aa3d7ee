import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runTestCli } from "../../../test/cli.ts";
import { sampleCluster } from "../../../test/contract-samples.ts";
import { json, sendJson, sendProblem, startContractServer } from "../../../test/contract-server.ts";
import { makeTempFolder } from "../../../test/temp-folder.ts";

const document = (name: string) => `apiVersion: drover.dev/v1alpha1\nkind: Cluster\nmetadata:\n  name: ${name}\n`;
const accepted = (cluster: string, generation: number, jobId: string | null) => ({ cluster, generation, jobId });

function writeFiles(files: Readonly<Record<string, string>>): string {
  const folder = makeTempFolder("apply");
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

describe("drover apply", () => {
  it("declares what is new and changes what is there, on top of what it read", async () => {
    const folder = writeFiles({
      "all.yaml": `${document("new-1")}---\n${document("old-1")}---\n${document("same-1")}`,
    });
    const { url, asked } = await startContractServer({
      "POST /api/v1/clusters": json(accepted("new-1", 1, "j1"), 202),
      "GET /api/v1/clusters/old-1": json(sampleCluster("old-1", { generation: 4 }), 200, { etag: '"4.x"' }),
      "PUT /api/v1/clusters/old-1": json(accepted("old-1", 5, "j2"), 202),
      "GET /api/v1/clusters/same-1": json(sampleCluster("same-1", { generation: 2 }), 200, { etag: '"2.x"' }),
      "PUT /api/v1/clusters/same-1": json(accepted("same-1", 2, null), 202),
      "GET /api/v1/clusters/new-1": (_, response) => sendProblem(response, "cluster-not-found", "No."),
    });
    const { code, out } = await runTestCli(url, ["apply", "-f", join(folder, "all.yaml"), "--reason", "a b"]);
    expect(code).toBe(0);
    expect(out.replaceAll(/,.*/g, "")).toBe("cluster/new-1 created\ncluster/old-1 changed\ncluster/same-1 unchanged\n");
    const put = asked.find(({ method, url: path }) => method === "PUT" && path.includes("old-1"));
    expect(put?.headers["if-match"]).toBe('"4.x"');
    expect(put?.url).toContain("reason=a%20b");
    expect(JSON.parse(put?.body ?? "")).toMatchObject({ metadata: { name: "old-1" } });
  });

  it("names every problem with the line of the file, and declares the others", async () => {
    const bad = `${document("good-1")}---\n# a remark\n${document("bad-1")}spec:\n  colour: red\n`;
    const problems = [
      { path: "spec.colour", code: "unknown-field", message: "There is no such field. (line 1)", next: "Remove it." },
      { path: "spec.provider", code: "required", message: "It is missing. (line 1)", next: "Add it." },
    ];
    const { url } = await startContractServer({
      "GET /api/v1/clusters/good-1": (_, response) => sendProblem(response, "cluster-not-found", "No."),
      "GET /api/v1/clusters/bad-1": (_, response) => sendProblem(response, "cluster-not-found", "No."),
      "POST /api/v1/clusters": ({ body }, response) => {
        if (body.includes("bad-1")) sendProblem(response, "validation-failed", "Refused.", { problems });
        else sendJson(response, accepted("good-1", 1, null), 202);
      },
    });
    const { code, out, err } = await runTestCli(url, ["apply", "-f", "-"], { input: bad });
    expect([code, out]).toEqual([1, "cluster/good-1 created\n"]);
    expect(err).toContain("standard input:12: spec.colour: There is no such field. Remove it.\n");
    expect(err).toContain("standard input:12: spec.provider: It is missing. Add it.\n");
  });

  it("reads the files of a folder in order, and only documents", async () => {
    const folder = writeFiles({ "b.yml": document("b"), "a.json": '{"metadata":{"name":"a"}}', "notes.txt": "x" });
    mkdirSync(join(folder, "below"));
    const { url } = await startContractServer({
      "GET /api/v1/clusters/a": (_, response) => sendProblem(response, "cluster-not-found", "No."),
      "GET /api/v1/clusters/b": (_, response) => sendProblem(response, "cluster-not-found", "No."),
      "POST /api/v1/clusters": ({ body, url: path }, response) => {
        expect(path).toBe("/api/v1/clusters?dryRun=true");
        sendJson(response, accepted(JSON.parse(body).metadata.name, 1, null), 202);
      },
    });
    const { code, out } = await runTestCli(url, ["apply", "-f", folder, "--dry-run"]);
    expect([code, out]).toEqual([0, "cluster/a created (dry run)\ncluster/b created (dry run)\n"]);
  });

  it.each([
    ["a file that is not there", ["-f", "/no/such/file.yaml"], /There is no file/],
    ["nothing but comments", ["-f", "-"], /There is no document/],
    ["no file at all", [], /-f, --filename/],
  ])("answers %s with 2 and asks nothing", async (_, args, reason) => {
    const { url, asked } = await startContractServer({});
    const { code, err } = await runTestCli(url, ["apply", ...args], { input: "# nothing\n" });
    expect([code, asked]).toEqual([2, []]);
    expect(err).toMatch(reason);
  });

  it("names the line of broken YAML in a later document", async () => {
    const { url, asked } = await startContractServer({});
    const { code, err } = await runTestCli(url, ["apply", "-f", "-"], { input: `${document("a")}---\na: [1,\n` });
    expect([code, asked]).toEqual([2, []]);
    expect(err).toMatch(/^standard input:7: .* Correct the line/);
  });
});
