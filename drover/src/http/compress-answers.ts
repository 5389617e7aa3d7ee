import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** Below this an answer fits into one packet as it is. */
const WORTH_BYTES = 1_400;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Quick rather than small: lists are sent again and again, and shrink to a tenth even so. */
const QUICK = { brotli: 3, gzip: 3 };

/**
 * Sends long answers compressed to those who take that. Only what is read with an ETag: lists and objects, never an
 * answer that hands out a secret, whose length must not tell about its content.
 */
export function addCompression(app: FastifyInstance): void {
  app.addHook("onSend", async (request, reply, payload) => {
    if (!isWorthIt(reply, payload)) return payload;
    reply.header("vary", "accept-encoding");
    const encoding = chooseEncoding(request);
    if (encoding === null) return payload;
    reply.header("content-encoding", encoding).removeHeader("content-length");
    return encoding === "br"
      ? toBrotli(payload, { params: { [constants.BROTLI_PARAM_QUALITY]: QUICK.brotli } })
      : toGzip(payload, { level: QUICK.gzip });
  });
}

function isWorthIt(reply: FastifyReply, payload: unknown): payload is string | Buffer {
  const isText = typeof payload === "string" || Buffer.isBuffer(payload);
  return isText && payload.length >= WORTH_BYTES && reply.hasHeader("etag") && !reply.hasHeader("content-encoding");
}

function chooseEncoding(request: FastifyRequest): "br" | "gzip" | null {
  const taken = new Set(
    String(request.headers["accept-encoding"] ?? "")
      .split(",")
      .map((one) => one.trim().toLowerCase())
      .filter((one) => !/;\s*q=0(\.0*)?$/.test(one))
      .map((one) => one.split(";", 1)[0]),
  );
  return taken.has("br") ? "br" : taken.has("gzip") ? "gzip" : null;
}
