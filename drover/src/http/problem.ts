import { ERRORS, type ErrorCode, type ErrorKind, isDroverError } from "@drover/contract";
import type { FastifyReply, FastifyRequest } from "fastify";

interface ProblemFacts {
  readonly status?: number;
  readonly detail?: string;
  readonly more?: Readonly<Record<string, unknown>>;
}

/** Soon enough for people, seldom enough for a database that is coming back. */
const RETRY_AFTER_SECONDS = 2;

/** Answers with an RFC 9457 problem. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, code: ErrorCode, facts: ProblemFacts = {}) {
  const kind: ErrorKind = ERRORS[code];
  const status = facts.status ?? kind.status;
  if (status === 503 && !reply.hasHeader("retry-after")) reply.header("retry-after", RETRY_AFTER_SECONDS);
  return reply
    .code(status)
    .header("cache-control", "no-store")
    .type("application/problem+json; charset=utf-8")
    .send({
      type: `urn:drover:error:${code}`,
      title: kind.title,
      status,
      ...(facts.detail === undefined ? {} : { detail: facts.detail }),
      code,
      hint: kind.hint,
      retryable: kind.retryable,
      requestId: request.id,
      ...facts.more,
    });
}

/** What the server itself refuses, by the status it refuses it with. */
const REFUSALS: Readonly<Record<number, ErrorCode>> = { 413: "document-too-large", 415: "media-type-unsupported" };

/**
 * Turns whatever was thrown into a problem. What is meant for users is told to them; a request that fastify refused
 * keeps its status; everything else is a bug, whose text stays in the log.
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
    return sendProblem(request, reply, code, { status, detail: String((error as Error).message) });
  }
  request.log.error({ err: error }, "request failed");
  return sendProblem(request, reply, "internal-error");
}

function readStatus(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { statusCode } = error as { statusCode?: unknown };
  return typeof statusCode === "number" && statusCode >= 400 ? statusCode : undefined;
}
