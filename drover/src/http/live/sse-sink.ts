import type { FastifyReply } from "fastify";
import type { CutReason, Sink } from "./sink.ts";

/** A response that stays open, as server-sent events. */
export function openSseSink(reply: FastifyReply): Sink {
  const response = reply.hijack().raw;
  response.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store, no-transform",
    // Proxies that collect answers before they pass them on would hold back every event.
    "x-accel-buffering": "no",
  });
  response.flushHeaders();
  response.socket?.setNoDelay(true).setKeepAlive(true, 60_000);
  // Who goes away is no error; `close` follows.
  response.on("error", () => {});
  return {
    get buffered() {
      return response.writableLength;
    },
    write: (bytes) => void response.write(bytes),
    onceDrained: (callback) => void response.once("drain", callback),
    // Who has gone before we came to answer is not told of again.
    onceClosed: (callback) => (response.closed ? callback() : void response.once("close", callback)),
    finish: () => void response.end(),
    cut: (reason: CutReason) => {
      // Nobody may get what they may no longer see, and nobody who does not read can hold up the end of the server.
      if (reason === "restart" && response.writableLength === 0) response.end();
      else response.destroy();
    },
  };
}
