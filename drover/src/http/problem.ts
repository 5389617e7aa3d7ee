import { ERRORS, type ErrorKind, isDroverError } from "@drover/contract";
import type { FastifyReply, FastifyRequest } from "fastify";

/** What only the HTTP server itself can meet, before anything of the program is asked. */
const HTTP_ERRORS = {
  "route-not-found": {
    status: 404,
    title: "There is nothing under this address",
    retryable: false,
    hint: "Check the address and the method.",
  },
  "request-invalid": {
    status: 400,
    title: "The request cannot be read",
    retryable: false,
    hint: "Correct the request; the detail says what is wrong with it.",
  },
  "host-refused": {
    status: 421,
    title: "Drover does not answer under this name",
    retryable: false,
    hint: "Use the address that Drover printed at its start, or add the name to the option allowedHosts.",
  },
  "internal-error": {
    status: 500,
    title: "Drover met an error that it did not expect",
    retryable: true,
    hint: "Look for the request id in Drover's log, and report what you find there.",
  },
} as const satisfies Record<string, ErrorKind>;

export type HttpErrorCode = keyof typeof HTTP_ERRORS | keyof typeof ERRORS;

interface ProblemFacts {
  readonly status?: number;
  readonly detail?: string;
  readonly more?: Readonly<Record<string, unknown>>;
}

/** Answers with an RFC 9457 problem. */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  code: HttpErrorCode,
  facts: ProblemFacts = {},
) {
  const kind: ErrorKind = { ...HTTP_ERRORS, ...ERRORS }[code];
  const status = facts.status ?? kind.status;
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

/**
 * Turns whatever was thrown into a problem. What is meant for users is told to them; a request that fastify refused
 * keeps its status; everything else is a bug, whose text stays in the log.
 */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  if (isDroverError(error)) {
    const more = { ...error.details, ...(error.problems.length > 0 ? { problems: error.problems } : {}) };
    return sendProblem(request, reply, error.code, { detail: error.message, more });
  }
  const status = readStatus(error);
  if (status !== undefined && status < 500) {
    return sendProblem(request, reply, "request-invalid", { status, detail: String((error as Error).message) });
  }
  request.log.error({ err: error }, "request failed");
  return sendProblem(request, reply, "internal-error");
}

function readStatus(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { statusCode } = error as { statusCode?: unknown };
  return typeof statusCode === "number" && statusCode >= 400 ? statusCode : undefined;
}
