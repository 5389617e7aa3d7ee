import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { runTestCli } from "../../../test/cli.ts";
import { sampleJob } from "../../../test/contract-samples.ts";
import { json, sendJson, startContractServer } from "../../../test/contract-server.ts";

const JOB = sampleJob("Succeeded");
const AT = `/api/v1/jobs/${JOB.id}`;
const line = (number: number) => ({
  ...{ line: number, time: "2026-01-01T10:11:12Z", step: "a/b/make-it/n-1", host: "n-1", stream: "stdout" },
  text: `line ${number}`,
});
const sse = (number: number) => `id: ${number}\ndata: ${JSON.stringify(line(number))}\n\n`;

/** Each answer of the stream is one connection; the last one ends with the job. */
async function serveStream(connections: readonly ((response: ServerResponse) => void)[]) {
  let at = 0;
  return await startContractServer({
    "GET /api/v1/jobs": json({ items: [JOB], next: null }),
    [`GET ${AT}`]: json(JOB),
    [`GET ${AT}/log/stream`]: (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      connections[at]?.(response);
      at += 1;
    },
  });
}

const numbers = (out: string) => [...out.matchAll(/line (\d+)\n/g)].map(([, number]) => Number(number));

describe("drover logs -f", () => {
  it("shows lines until the job ends", async () => {
    const { url } = await serveStream([(response) => response.end(`${sse(1)}${sse(2)}event: end\ndata: {}\n\n`)]);
    const { code, out, err } = await runTestCli(url, ["logs", "-f", "demo"]);
    expect(code).toBe(0);
    expect(out).toBe("10:11:12 [make-it@n-1] line 1\n10:11:12 [make-it@n-1] line 2\n");
    expect(err).toBe("Job demo/1 (create) has ended: Succeeded.\n");
  });

  it("goes on behind the last line when the connection breaks, doubles nothing, and says so", async () => {
    const { url, asked } = await serveStream([
      (response) => response.write(`${sse(1)}${sse(2)}`, () => setTimeout(() => response.destroy(), 50)),
      (response) => response.end(`${sse(2)}${sse(3)}${sse(4)}event: end\ndata: {}\n\n`),
    ]);
    const { code, out, err } = await runTestCli(url, ["logs", "-f", "demo"]);
    expect([code, numbers(out)]).toEqual([0, [1, 2, 3, 4]]);
    expect(err).toMatch(/Connection lost after line 2 .*\nConnection is back: resumed at line 3, 0 lost\.\n/);
    const again = asked.filter(({ url: path }) => path.includes("stream"))[1];
    expect(again?.headers["last-event-id"]).toBe("2");
    expect(again?.url).toContain("from=3");
  });

  it("tells how many lines are missing, if any are", async () => {
    const { url } = await serveStream([
      (response) => response.end(sse(1)),
      (response) => response.end(`${sse(4)}event: end\ndata: {}\n\n`),
    ]);
    expect((await runTestCli(url, ["logs", "-f", "demo"])).err).toContain("resumed at line 4, 2 lost.");
  });
});

describe("drover logs", () => {
  it("reads page after page", async () => {
    const { url } = await startContractServer({
      "GET /api/v1/jobs": json({ items: [JOB], next: null }),
      [`GET ${AT}/log`]: ({ url: path }, response) => {
        const from = Number(new URL(path, "http://x").searchParams.get("from"));
        sendJson(response, { lines: from > 3 ? [] : [line(from)], last: from, total: 3 });
      },
    });
    expect(numbers((await runTestCli(url, ["logs", "demo"])).out)).toEqual([1, 2, 3]);
    const { out } = await runTestCli(url, ["logs", "demo/1", "--from", "2", "-o", "json"]);
    expect(
      out
        .trim()
        .split("\n")
        .map((text) => JSON.parse(text).line),
    ).toEqual([2, 3]);
  });

  it("says what to do about a job that is not there", async () => {
    const { url } = await startContractServer({ "GET /api/v1/jobs": json({ items: [], next: null }) });
    const { code, err } = await runTestCli(url, ["logs", "nobody"]);
    expect([code, err]).toEqual([
      2,
      "There is no job of a cluster nobody. `drover get clusters` lists what there is.\n",
    ]);
  });
});
