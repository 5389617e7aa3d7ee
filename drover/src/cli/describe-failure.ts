import { type DroverError, isDroverError } from "@drover/contract";
import { OptionsError } from "../config/load-options.ts";
import { ApiError, ConnectionError } from "./client/api-error.ts";
import { renderProblem, withoutLine } from "./render/problem.ts";
import { UsageError } from "./usage-error.ts";

export interface Failure {
  readonly text: string;
  /** The command line or the options were wrong: nothing has been started. */
  readonly usage: boolean;
}

interface SystemError extends Error {
  readonly code: string;
  readonly address?: string;
  readonly port?: number;
}

/** What to show a user: the fact, the object, the next move. A stack only for what nobody expected. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof OptionsError) return { text: describeProblems(error), usage: true };
  if (isDroverError(error)) return { text: describeDroverError(error), usage: false };
  if (error instanceof UsageError) return { text: error.message, usage: true };
  if (error instanceof ApiError) return { text: describeApiError(error), usage: false };
  if (error instanceof ConnectionError) return { text: describeConnection(error), usage: false };
  const listening = describeListenError(error);
  if (listening !== undefined) return { text: listening, usage: false };
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { text: `Drover met an error that it did not expect. Please report it.\n${trace}`, usage: false };
}

function describeDroverError({ message, code, kind, problems }: DroverError): string {
  const listed = problems.map((problem) => `  ${renderProblem(problem)}`);
  return [`${message} (${code})`, ...listed, kind.hint].join("\n");
}

/** What only makes sense on the command line is said in its words. */
const MOVES: Readonly<Record<string, string>> = {
  unauthenticated: "Sign in with `drover login`, or name a token with --token-file or DROVER_TOKEN.",
  "cluster-not-found": "`drover get clusters` lists those there are.",
  "cluster-exists": "Choose another name, or change it with `drover apply` or `drover edit`.",
  "consent-required": "Look at it with `drover plan`, then agree with --consent.",
  "cluster-protected": "Take the protection off first with `drover unprotect`.",
};

function describeApiError({ message, code, answer }: ApiError): string {
  const listed = (answer.problems ?? []).map((problem) => `  ${renderProblem(withoutLine(problem))}`);
  const request = answer.status >= 500 && answer.requestId !== undefined ? ` Request ${answer.requestId}.` : "";
  return [`${message} (${code})`, ...listed, `${MOVES[code] ?? answer.hint ?? ""}${request}`].join("\n").trimEnd();
}

function describeConnection({ message, refused }: ConnectionError): string {
  const next = refused
    ? "Start it with `drover up`, or name another one with --server or DROVER_SERVER."
    : "Whether it was done is not known: look with `drover get`, then try again.";
  return `${message}\n${next}`;
}

function describeProblems({ problems }: OptionsError): string {
  const head = problems.length === 1 ? "One option is wrong:" : `${problems.length} options are wrong:`;
  return [head, ...problems.map(({ where, message, next }) => `  ${where} ${message}. ${next}`)].join("\n");
}

function describeListenError(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  const { code, address, port } = error as SystemError;
  const choose = "with --port (or DROVER_LISTEN_PORT)";
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} of ${address} is in use. End the program that uses it, or choose another port ${choose}.`;
    case "EACCES":
      if (port === undefined) return undefined;
      return `Port ${port} may not be used by this user. Choose one above 1023 ${choose}.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${address ?? "The listen host"} is no address of this machine. Choose another with --host (or DROVER_LISTEN_HOST).`;
    default:
      return undefined;
  }
}
