import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fastify from "fastify";
import { describe, expect, it } from "vitest";
import { addCompression } from "./compress-answers.ts";

const LONG = JSON.stringify({ items: Array.from({ length: 200 }, (_, number) => ({ name: `cluster-${number}` })) });

async function ask(acceptEncoding: string | undefined, url = "/list") {
  const app = fastify();
  addCompression(app);
  app.get("/list", (_, reply) => reply.type("application/json").header("etag", '"1"').send(Buffer.from(LONG)));
  app.get("/short", (_, reply) => reply.type("application/json").header("etag", '"1"').send("{}"));
  app.get("/secret", (_, reply) => reply.type("application/json").header("cache-control", "no-store").send(LONG));
  const headers = acceptEncoding === undefined ? {} : { "accept-encoding": acceptEncoding };
  return app.inject({ url, headers });
}

describe("compressed answers", () => {
  it.each([
    ["gzip, deflate, br", "br", brotliDecompressSync],
    ["gzip, br;q=0", "gzip", gunzipSync],
    ["GZIP;q=0.5", "gzip", gunzipSync],
  ])("to %s come as %s", async (accepted, encoding, open) => {
    const answer = await ask(accepted);
    expect(answer.headers).toMatchObject({ "content-encoding": encoding, vary: "accept-encoding", etag: '"1"' });
    expect(answer.headers["content-length"]).toBe(String(answer.rawPayload.length));
    expect(answer.rawPayload.length).toBeLessThan(LONG.length / 5);
    expect(open(answer.rawPayload).toString()).toBe(LONG);
  });

  it.each([undefined, "", "identity", "deflate", "br;q=0, gzip;q=0.0"])("are plain to %s", async (accepted) => {
    const answer = await ask(accepted);
    expect(answer.headers).not.toHaveProperty("content-encoding");
    expect(answer.headers.vary).toBe("accept-encoding");
    expect(answer.body).toBe(LONG);
  });

  it.each(["/short", "/secret"])("are not made of %s", async (url) => {
    const answer = await ask("gzip, br", url);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).not.toHaveProperty("content-encoding");
  });
});
