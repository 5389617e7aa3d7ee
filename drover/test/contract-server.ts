import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ERRORS, type ErrorCode } from "@drover/contract";
import { onTestFinished } from "vitest";

export interface Asked {
  readonly method: string;
  /** With the query. */
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

type Answer = (asked: Asked, response: ServerResponse) => void;

/**
 * An HTTP server that answers as a test says, by `METHOD /path`; everything else is not found. It ends with the test.
 */
export async function startContractServer(answers: Readonly<Record<string, Answer>>) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
      asked.push(one);
      const answer = answers[`${method} ${url.split("?", 1)[0]}`];
      if (answer === undefined) sendProblem(response, "route-not-found", `${method} ${url}`);
      else answer(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  onTestFinished(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close };
}

export function sendJson(response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (_asked, response) =>
    sendJson(response, body, status, headers);

export function sendProblem(
  response: ServerResponse,
  code: ErrorCode,
  detail: string,
  more: object = {},
  headers: Record<string, string> = {},
) {
  const { status, title, hint, retryable } = ERRORS[code];
  const body = { type: `urn:drover:error:${code}`, title, status, detail, code, hint, retryable, requestId: "r-1" };
  response.writeHead(status, { "content-type": "application/problem+json", ...headers });
  response.end(JSON.stringify({ ...body, ...more }));
}
