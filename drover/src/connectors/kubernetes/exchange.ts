import { type Agent, type ClientRequest, type IncomingMessage, request } from "node:http";
import { request as requestSecurely } from "node:https";
import { TLSSocket } from "node:tls";
import { KubernetesError } from "../../ports/kubernetes-api.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

export interface Outgoing {
  readonly method: Method;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | null;
  readonly agent: Agent;
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** When the certificate that the server showed ends, in milliseconds since 1970. */
  readonly certificateEnds: number | null;
}

/** More than any page of a list that we ask for; whoever sends more is not listened to. */
const LARGEST_ANSWER = 32 * 1024 * 1024;

/** One request and its whole answer. Rejects with whatever kept them from coming about. */
export function exchange(outgoing: Outgoing): Promise<Answer> {
  const { method, url, headers, body, agent, signal } = outgoing;
  const send = url.protocol === "https:" ? requestSecurely : request;
  return new Promise((resolve, reject) => {
    const options = {
      method,
      agent,
      signal,
      headers: { ...headers, ...lengthOf(body) } as Record<string, string | string[]>,
    };
    const asking: ClientRequest = send(url, options, (response) => {
      readAnswer(response).then(resolve, (error: Error) => {
        asking.destroy();
        reject(error);
      });
    });
    asking.once("error", (error) => {
      // Servers close what nobody used for a while; a request that was on its way then reached nobody.
      const stale = asking.reusedSocket && (error as NodeJS.ErrnoException).code === "ECONNRESET";
      if (stale && method !== "POST" && !signal.aborted) resolve(exchange(outgoing));
      else reject(error);
    });
    asking.end(body ?? undefined);
  });
}

const lengthOf = (body: string | null) => (body === null ? {} : { "content-length": String(Buffer.byteLength(body)) });

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const { socket, statusCode = 0 } = response;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_ANSWER) {
      throw new KubernetesError("refused", `The answer is larger than ${LARGEST_ANSWER} bytes.`, statusCode);
    }
    chunks.push(chunk);
  }
  return {
    status: statusCode,
    text: Buffer.concat(chunks).toString(),
    certificateEnds: socket instanceof TLSSocket ? certificateEndsOf(socket) : null,
  };
}

/** Taking a certificate apart costs more than all else about a small answer, and a connection shows only one. */
const knownEnds = new WeakMap<TLSSocket, number | null>();

function certificateEndsOf(socket: TLSSocket): number | null {
  const known = knownEnds.get(socket);
  if (known !== undefined) return known;
  const ends = Date.parse(socket.getPeerCertificate().valid_to ?? "");
  const read = Number.isNaN(ends) ? null : ends;
  knownEnds.set(socket, read);
  return read;
}
