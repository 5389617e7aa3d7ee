import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { ERRORS, type ErrorCode, type ErrorKind, isDroverError } from "@drover/contract";
import type { FastifyReply, FastifyRequest } from "fastify";

interface ProblemFacts {
  readonly detail?: string;
  readonly more?: Readonly<Record<string, unknown>>;
}

/** Soon enough for people, seldom enough for a database that is coming back. */
const RETRY_AFTER_SECONDS = 2;

/** Answers with an RFC 9457 problem. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, code: ErrorCode, facts: ProblemFacts = {}) {
  const { status } = ERRORS[code];
  if (status === 503 && !reply.hasHeader("retry-after")) reply.header("retry-after", RETRY_AFTER_SECONDS);
  if (status === 401) reply.header("www-authenticate", 'Bearer realm="drover"');
  return reply
    .code(status)
    .header("cache-control", "no-store")
    .type("application/problem+json; charset=utf-8")
    .send(describeProblem(code, request.id, facts));
}

function describeProblem(code: ErrorCode, requestId: string, { detail, more }: ProblemFacts) {
  const { status, title, hint, retryable }: ErrorKind = ERRORS[code];
  return {
    ...{ type: `urn:drover:error:${code}`, title, status },
    ...(detail === undefined ? {} : { detail }),
    ...{ code, hint, retryable, requestId },
    ...more,
  };
}

/** Answers what Node could not read as a request at all: there is nothing but a connection then. */
export function answerUnreadable(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const isLarge = error.code === "HPE_HEADER_OVERFLOW";
  const detail = isLarge ? "Its address and headers are too long." : "It is not HTTP, or did not come in time.";
  const body = JSON.stringify(describeProblem("request-invalid", randomUUID(), { detail }));
  const head = ["HTTP/1.1 400 Bad Request", "Content-Type: application/problem+json; charset=utf-8"];
  const rest = ["Cache-Control: no-store", "Connection: close", `Content-Length: ${Buffer.byteLength(body)}`];
  if (socket.writable) socket.write(`${[...head, ...rest].join("\r\n")}\r\n\r\n${body}`);
  socket.destroySoon();
}

/** What the server itself refuses, by the status it refuses it with. */
const REFUSALS: Readonly<Record<number, ErrorCode>> = { 413: "document-too-large", 415: "media-type-unsupported" };

/**
 * Turns whatever was thrown into a problem. What is meant for users is told to them; a request that fastify refused
 * is told why; everything else is a bug, whose text stays in the log.
 */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  if (isDroverError(error)) {
    const { retryAfterSeconds } = error.details;
    if (typeof retryAfterSeconds === "number") reply.header("retry-after", retryAfterSeconds);
    const more = { ...error.details, ...(error.problems.length > 0 ? { problems: error.problems } : {}) };
    return sendProblem(request, reply, error.code, { detail: error.message, more });
  }
  const status = readStatus(error);
  if (status !== undefined && status < 500) {
    const code = REFUSALS[status] ?? "request-invalid";
    return sendProblem(request, reply, code, { detail: String((error as Error).message).slice(0, 300) });
  }
  request.log.error({ err: error }, "request failed");
  return sendProblem(request, reply, "internal-error");
}

function readStatus(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { statusCode } = error as { statusCode?: unknown };
  return typeof statusCode === "number" && statusCode >= 400 ? statusCode : undefined;
}
