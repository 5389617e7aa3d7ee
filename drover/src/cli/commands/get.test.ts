import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { runTestCli, startCli } from "../../../test/cli.ts";
import { sampleCluster } from "../../../test/contract-samples.ts";
import { json, sendJson, sendProblem, startContractServer } from "../../../test/contract-server.ts";
import { waitUntil } from "../../../test/wait-for.ts";

describe("drover get", () => {
  const clusters = [sampleCluster("a"), sampleCluster("开发", { phase: "Unavailable", modifiers: ["Stalled"] })];
  const serve = () =>
    startContractServer({
      "GET /api/v1/clusters": ({ url }, response) =>
        url.includes("after=2")
          ? sendJson(response, { items: clusters.slice(1), next: null })
          : sendJson(response, { items: clusters.slice(0, 1), next: "2" }),
      "GET /api/v1/clusters/a": json(sampleCluster("a")),
      "GET /api/v1/workers": json({ items: [] }),
    });

  it("lists all pages as a table that lines up", async () => {
    const { out } = await runTestCli((await serve()).url, ["get", "clusters"]);
    const [head = "", first = "", second = ""] = out.split("\n");
    expect(head).toMatch(/^NAME {3}PHASE {18}PROVIDER/);
    expect(first).toMatch(/^a {6}Running {16}simulated {3}v1\.34\.0 {3}2\/2/);
    expect(second).toMatch(/^开发 {3}Unavailable, Stalled {3}simulated/);
  });

  it("knows every form", async () => {
    const { url } = await serve();
    expect((await runTestCli(url, ["get", "clusters", "-o", "name"])).out).toBe("cluster/a\ncluster/开发\n");
    expect(JSON.parse((await runTestCli(url, ["get", "clusters", "-o", "json"])).out).items).toHaveLength(2);
    expect(JSON.parse((await runTestCli(url, ["get", "cluster", "a", "-o", "json"])).out)).toEqual(sampleCluster("a"));
    expect((await runTestCli(url, ["get", "cluster", "a", "-o", "yaml"])).out).toMatch(/^apiVersion: drover.dev/);
    expect((await runTestCli(url, ["get", "clusters", "-o", "wide"])).out).toMatch(/LABELS\n.*env=dev\n/);
  });

  it("says so when there is nothing", async () => {
    const { code, out, err } = await runTestCli((await serve()).url, ["get", "workers"]);
    expect([code, err]).toEqual([0, "There are no workers here.\n"]);
    expect(out).toMatch(/^ID/);
  });

  it.each([
    [["get", "clouds"], /"clouds" is nothing that can be listed/],
    [["get", "nodes"], /Name the cluster/],
    [["get", "workers", "--watch"], /cannot be watched/],
    [["get", "clusters", "-o", "xml"], /one of: table, wide/],
  ])("answers %j with 2 and the next move", async (args, reason) => {
    const { code, err } = await runTestCli((await serve()).url, args);
    expect(code).toBe(2);
    expect(err).toMatch(reason);
  });
});

describe("drover get clusters --watch", () => {
  /** A server with an event stream that the test writes to, and clusters that it changes. */
  async function serve() {
    const clusters = new Map([["a", sampleCluster("a", { phase: "Creating" })]]);
    const streams: ServerResponse[] = [];
    const one = (name: string) => (_: unknown, response: ServerResponse) => {
      const cluster = clusters.get(name);
      if (cluster === undefined) sendProblem(response, "cluster-not-found", "Gone.");
      else sendJson(response, cluster);
    };
    const server = await startContractServer({
      "GET /api/v1/clusters": (_, response) => sendJson(response, { items: [...clusters.values()], next: null }),
      "GET /api/v1/clusters/a": one("a"),
      "GET /api/v1/clusters/b": one("b"),
      "GET /api/v1/events/stream": (_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" }).write("id: 1\n\n");
        streams.push(response);
      },
    });
    const tell = (id: number, cluster: string) =>
      streams.at(-1)?.write(`id: ${id}\ndata: ${JSON.stringify({ cursor: id, cluster })}\n\n`);
    return { ...server, clusters, streams, tell };
  }

  it("shows each change as a line, goes on after a break, and ends with Ctrl+C", async () => {
    const { url, clusters, streams, tell, asked } = await serve();
    const { running, seen, interrupt } = startCli(url, ["get", "clusters", "--watch"]);
    await waitUntil(() => seen.out.includes("Creating"));
    clusters.set("b", sampleCluster("b"));
    tell(2, "b");
    await waitUntil(() => /^b\b.*Running/m.test(seen.out));
    streams[0]?.destroy();
    await waitUntil(() => streams.length === 2);
    clusters.delete("a");
    tell(3, "a");
    await waitUntil(() => /^a +gone$/m.test(seen.out));
    interrupt();
    expect(await running).toBe(0);
    expect(seen.out.match(/^b\b/gm)).toHaveLength(1);
    expect(seen.err).toMatch(/^Connection lost .*\nConnection is back: resumed behind the last event, 0 lost\.\n$/);
    const again = asked.filter(({ url: path }) => path.includes("stream"))[1];
    expect(again?.headers["last-event-id"]).toBe("2");
  });

  it("draws one table in place on a screen", async () => {
    const { url, clusters, tell } = await serve();
    const { running, seen, interrupt } = startCli(url, ["get", "clusters", "-w"], { screen: true });
    await waitUntil(() => seen.out.includes("Creating"));
    clusters.set("a", sampleCluster("a"));
    tell(2, "a");
    await waitUntil(() => seen.out.includes("Running"));
    interrupt();
    await running;
    expect(seen.out).toContain("\x1b[2A\x1b[0JNAME");
  });

  it("reads everything again when its place is not kept any more", async () => {
    const { url, clusters, streams } = await serve();
    const { running, seen, interrupt } = startCli(url, ["get", "clusters", "-w", "-o", "name"]);
    await waitUntil(() => seen.out === "cluster/a\n");
    clusters.set("b", sampleCluster("b"));
    streams[0]?.write('id: 9\nevent: reset\ndata: {"cursor":9}\n\n');
    await waitUntil(() => seen.out.endsWith("cluster/b\n"));
    interrupt();
    expect(await running).toBe(0);
  });
});
