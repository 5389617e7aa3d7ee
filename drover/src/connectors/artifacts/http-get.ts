import { type IncomingHttpHeaders, type IncomingMessage, request as requestByHttp } from "node:http";
import { request as requestByHttps } from "node:https";
import { assertAllowedHost, ForbiddenAddressError, guardedLookup } from "../../lib/guarded-lookup.ts";
import type { HttpCredential } from "../../ports/artifact-depot.ts";
import { Unavailable, untrusted } from "./failures.ts";

export interface GetRequest {
  readonly url: URL;
  readonly credential: HttpCredential | null;
  readonly signal: AbortSignal;
  /** Without a byte for that long the other side is gone. */
  readonly silenceMs: number;
  /** Only what comes after so many bytes; all of it when 0. */
  readonly from?: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** To be read to its end, or destroyed. */
  readonly body: IncomingMessage;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MOST_REDIRECTS = 5;

/** Follows where it is sent; who asked is told to nobody but the origin that was asked first. */
export async function get(request: GetRequest): Promise<Answer> {
  let url = request.url;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
    const answer = await ask(url, request);
    const { location } = answer.headers;
    if (!REDIRECTS.has(answer.status) || location === undefined) return answer;
    answer.body.destroy();
    const next = URL.canParse(location, url.href) ? new URL(location, url) : null;
    if (next === null || !/^https?:$/.test(next.protocol)) throw untrusted(request.url, "it leads to no web address");
    if (url.protocol === "https:" && next.protocol === "http:") {
      throw untrusted(request.url, `it leads from https to ${next.origin}, where anybody may change what is sent`);
    }
    url = next;
  }
  throw untrusted(request.url, "it leads from one address to the next without an end");
}

async function ask(url: URL, { url: first, credential, signal, silenceMs, from = 0 }: GetRequest): Promise<Answer> {
  signal.throwIfAborted();
  const headers = {
    "accept-encoding": "identity",
    "user-agent": "drover",
    ...(from > 0 ? { range: `bytes=${from}-` } : {}),
    ...(credential !== null && url.origin === first.origin ? { authorization: authorize(credential) } : {}),
  };
  const send = url.protocol === "https:" ? requestByHttps : requestByHttp;
  try {
    assertAllowedHost(url);
    return await new Promise<Answer>((resolve, reject) => {
      const asked = send(url, { headers, signal, lookup: guardedLookup });
      asked.setTimeout(silenceMs, () => asked.destroy(new Error(`nothing was heard for ${silenceMs / 1_000} s`)));
      asked.once("error", reject);
      asked.once("response", (body) => resolve({ status: body.statusCode ?? 0, headers: body.headers, body }));
      asked.end();
    });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ForbiddenAddressError) throw untrusted(first, error.message, error);
    if (isAboutTrust(error)) {
      const why = `its certificate is not trusted (${(error as Error).message}). Give the worker its authority in NODE_EXTRA_CA_CERTS`;
      throw untrusted(url, why, error);
    }
    throw new Unavailable(reasonOf(error), error);
  }
}

function authorize(credential: HttpCredential): string {
  if ("token" in credential) return `Bearer ${credential.token}`;
  return `Basic ${Buffer.from(`${credential.username}:${credential.password}`).toString("base64")}`;
}

const isAboutTrust = (error: unknown): boolean =>
  /CERT|^ERR_(TLS|SSL)|^EPROTO$|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH/.test(
    String((error as NodeJS.ErrnoException).code),
  );

/** Of several addresses that were tried, each has its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
