import { randomUUID } from "node:crypto";
import { buildPath, type PathParameter, type Route } from "@drover/contract";
import type { z } from "zod";
import { sleep, systemTimer, type Timer } from "../../ports/timer.ts";
import { ApiError, ConnectionError, isApiError, readProblem } from "./api-error.ts";

type Query<R> = R extends { query: infer S extends z.ZodType }
  ? { readonly [Key in keyof z.input<S>]?: string | number | boolean | readonly string[] | undefined }
  : Record<never, never>;

type Body<R> = R extends { documentBody: true }
  ? unknown
  : R extends { body: infer S extends z.ZodType }
    ? z.input<S>
    : undefined;

type Params<R extends Route> = [PathParameter<R["path"]>] extends [never]
  ? { readonly params?: undefined }
  : { readonly params: Readonly<Record<PathParameter<R["path"]>, string | number>> };

/** What a route takes. A document may be sent as the text of a YAML file. */
export type CallInput<R extends Route> = Params<R> & {
  readonly query?: Query<R>;
  readonly body?: Body<R>;
  /** The ETag that a change is based on. */
  readonly ifMatch?: string;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
};

export type CallAnswer<R extends Route> = R["response"] extends z.ZodType ? z.output<R["response"]> : undefined;

export interface ApiClientParts {
  /** Scheme, host and port. */
  readonly url: string;
  readonly token: string | null;
  readonly timer?: Timer;
  readonly timeoutMs?: number;
  /** How long to go on trying when the server asks to wait. */
  readonly patienceMs?: number;
  /** Where the server is and what it is shown by now: a restart on the same machine changes both. */
  readonly renew?: () => { readonly url: string; readonly token: string | null };
  /** Is told when a request is about to be tried again. */
  readonly onRetry?: (why: string, ms: number) => void;
}

const TIMEOUT_MS = 60_000;
const PATIENCE_MS = 30_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
/** What the server asks to wait for that a short while does not bring about. */
const NOT_WORTH_WAITING = new Set(["cluster-not-ready", "cluster-unseen", "job-live", "not-authoritative"]);

/**
 * The API, called by the contract's own route tables. A request that can do no harm twice is sent again when the server
 * asks for it or the connection breaks: reads, replacements, deletions, and POSTs by their Idempotency-Key.
 */
export class ApiClient {
  readonly #parts: ApiClientParts;
  #url: string;
  #token: string | null;
  readonly #timer: Timer;

  constructor(parts: ApiClientParts) {
    this.#url = parts.url.replace(/\/+$/, "");
    this.#token = parts.token;
    this.#parts = parts;
    this.#timer = parts.timer ?? systemTimer;
  }

  /** The same, but whoever asks sees for himself to what fails: nothing is tried again, nothing is said. */
  impatiently(): ApiClient {
    const { onRetry: _, ...parts } = this.#parts;
    return new ApiClient({ ...parts, url: this.#url, token: this.#token, patienceMs: 0 });
  }

  /** The JSON that a route answers with. */
  async call<const R extends Route>(route: R, input: CallInput<R>): Promise<CallAnswer<R>> {
    return (await this.callWithEtag(route, input)).body;
  }

  async callWithEtag<const R extends Route>(
    route: R,
    input: CallInput<R>,
  ): Promise<{ readonly body: CallAnswer<R>; readonly etag: string | null }> {
    const response = await this.#askPatiently(route, input);
    const body = route.response === null ? undefined : await readJson(response);
    if (route.response === null) await response.body?.cancel();
    return { body: body as CallAnswer<R>, etag: response.headers.get("etag") };
  }

  /** The answer itself, of routes that send text, files or streams. Never tried again, and without a time limit. */
  async open<const R extends Route>(route: R, input: CallInput<R>): Promise<Response> {
    return await this.#ask(route, input, makeHeaders(route, input), input.signal);
  }

  async #askPatiently<R extends Route>(route: R, input: CallInput<R>): Promise<Response> {
    const headers = makeHeaders(route, input);
    const { timeoutMs = TIMEOUT_MS, patienceMs = PATIENCE_MS, onRetry } = this.#parts;
    let waited = 0;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const limit = AbortSignal.timeout(timeoutMs);
      const signal = input.signal === undefined ? limit : AbortSignal.any([limit, input.signal]);
      try {
        return await this.#ask(route, input, headers, signal);
      } catch (error) {
        const ms = chooseWait(route, error, pause);
        if (ms === null || waited + ms > patienceMs || input.signal?.aborted) throw error;
        onRetry?.((error as Error).message, ms);
        waited += ms;
        await sleep(this.#timer, ms, input.signal);
      }
    }
  }

  /** Once more where the server has moved or wants another token: neither time anything was done. */
  async #ask<R extends Route>(
    route: R,
    input: CallInput<R>,
    headers: Headers,
    signal?: AbortSignal,
  ): Promise<Response> {
    try {
      return await this.#send(route, input, headers, signal);
    } catch (error) {
      const isStrange = error instanceof ConnectionError ? error.refused : isApiError(error, "unauthenticated");
      if (!isStrange || !this.#renew()) throw error;
      return await this.#send(route, input, headers, signal);
    }
  }

  #renew(): boolean {
    const { url, token } = this.#parts.renew?.() ?? { url: this.#url, token: this.#token };
    const isNew = url !== this.#url || token !== this.#token;
    this.#url = url;
    this.#token = token;
    return isNew;
  }

  async #send<R extends Route>(route: R, input: CallInput<R>, headers: Headers, signal?: AbortSignal) {
    const address = `${this.#url}${buildPath(route, input as never)}`;
    if (this.#token !== null) headers.set("authorization", `Bearer ${this.#token}`);
    const { method } = route;
    const body =
      input.body === undefined ? null : typeof input.body === "string" ? input.body : JSON.stringify(input.body);
    let response: Response;
    try {
      response = await fetch(address, { method, headers, body, redirect: "manual", ...(signal ? { signal } : {}) });
    } catch (error) {
      throw describeConnection(this.#url, error);
    }
    if (response.ok) return response;
    throw await readProblem(response);
  }
}

function makeHeaders<R extends Route>(route: R, input: CallInput<R>): Headers {
  const headers = new Headers({ accept: "application/json", "user-agent": "drover-cli", ...input.headers });
  if (input.ifMatch !== undefined) headers.set("if-match", input.ifMatch);
  if (route.method === "POST") headers.set("idempotency-key", randomUUID());
  if (input.body !== undefined) {
    headers.set("content-type", typeof input.body === "string" ? "application/yaml" : "application/json");
  }
  return headers;
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    throw new ConnectionError("The connection broke in the middle of the answer.", false, error);
  }
}

/** How long to wait before the same request may be sent again; null when that would not help. */
function chooseWait(route: Route, error: unknown, pause: number): number | null {
  if (error instanceof ConnectionError) return error.refused || !isSafeTwice(route) ? null : pause;
  if (!(error instanceof ApiError)) return null;
  const { status, code } = error.answer;
  if ((status !== 503 && status !== 429) || NOT_WORTH_WAITING.has(code)) return null;
  return error.retryAfterMs ?? pause;
}

/** Whether it does no harm when the first one was done after all. A POST has to know the key that it carries. */
function isSafeTwice({ method, errors }: Route): boolean {
  return method !== "POST" || errors.includes("idempotency-key-reused");
}

const REFUSED = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

function describeConnection(url: string, error: unknown): unknown {
  const { name, cause } = error as { name?: string; cause?: { code?: string; message?: string } };
  if (name === "AbortError") return error;
  if (name === "TimeoutError") return new ConnectionError(`${url} did not answer in time.`, false, error);
  if (!(error instanceof TypeError)) return error;
  const { code = "", message = error.message } = cause ?? {};
  if (REFUSED.has(code)) return new ConnectionError(`No Drover answers at ${url} (${code}).`, true, error);
  return new ConnectionError(`The connection to ${url} broke (${code || message}).`, false, error);
}
