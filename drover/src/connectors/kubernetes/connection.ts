import { Agent as PlainAgent } from "node:http";
import { Agent } from "node:https";
import { createSecureContext } from "node:tls";
import type { KubernetesLook } from "../../domain/kubernetes-look.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Connector } from "../../ports/connector.ts";
import { KubernetesError } from "../../ports/kubernetes-api.ts";
import type { Timer } from "../../ports/timer.ts";
import { describeFailure } from "./describe-failure.ts";
import type { Destination, ReadFile } from "./destination.ts";
import { type Answer, exchange, type Method } from "./exchange.ts";
import { ProxyAgent } from "./proxy-agent.ts";
import { refuse } from "./read-target.ts";
import { type Credentials, runCredentialProgram } from "./run-credential-program.ts";

export interface ConnectionParts {
  readonly clock: Clock;
  readonly timer: Timer;
  readonly readFile: ReadFile;
  /** Runs the credential programs of kubeconfigs that are allowed to have one. */
  readonly programs: Pick<Connector, "run">;
}

export interface Question {
  readonly method: Method;
  readonly path: string;
  readonly body?: { readonly type: string; readonly text: string };
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** Open connections that nobody used for this long are closed. */
const IDLE_MS = 60_000;
/** New credentials are fetched this long before the old ones end. */
const RENEW_MS = 30_000;
/** A thorough look asks three things at once; the next one finds their connections open. */
const SOCKETS = { maxSockets: 8, maxFreeSockets: 3 } as const;
const UNAUTHORIZED = 401;

/** The way to one API server with one set of credentials. */
export class Connection {
  readonly destination: Destination;
  readonly openedAt: number;
  usedAt: number;
  /** The newest thorough look. */
  lastLook: KubernetesLook | null = null;
  readonly #parts: ConnectionParts;
  #fetching: Promise<Credentials> | null = null;
  #agent: PlainAgent | null = null;

  constructor(destination: Destination, parts: ConnectionParts) {
    this.destination = destination;
    this.#parts = parts;
    this.openedAt = parts.clock.monotonic();
    this.usedAt = this.openedAt;
  }

  /** The answer, whatever its status. Rejects with a `KubernetesError`, or with the reason of the signal. */
  async ask(question: Question): Promise<Answer> {
    const { timer, clock } = this.#parts;
    this.usedAt = clock.monotonic();
    const late = new AbortController();
    const callOff = timer.after(question.deadlineMs, () => late.abort());
    const signal = AbortSignal.any([question.signal, late.signal]);
    try {
      const answer = await this.#send(question, signal);
      if (answer.status !== UNAUTHORIZED || this.destination.program === null) return answer;
      this.#forgetCredentials();
      return await this.#send(question, signal);
    } catch (error) {
      question.signal.throwIfAborted();
      if (error instanceof KubernetesError && !late.signal.aborted) throw error;
      throw describeFailure(this.destination.server, error, late.signal.aborted ? question.deadlineMs : null);
    } finally {
      callOff();
    }
  }

  close(): void {
    this.#agent?.destroy();
    this.#agent = null;
  }

  async #send({ method, path, body }: Question, signal: AbortSignal): Promise<Answer> {
    const { server, headers } = this.destination;
    const credentials = await this.#credentials(signal);
    const token = await this.#token(credentials);
    const url = new URL(server.pathname.replace(/\/$/, "") + path, server);
    return await exchange({
      ...{ method, url, signal },
      headers: {
        accept: "application/json",
        "user-agent": "drover",
        ...headers,
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": body.type }),
      },
      body: body?.text ?? null,
      agent: this.#agentFor(credentials),
    });
  }

  async #token(credentials: Credentials | null): Promise<string | null> {
    const { token, tokenFile } = this.destination;
    if (credentials?.token != null) return credentials.token;
    // Read each time: whoever writes such files renews them.
    return tokenFile === null ? token : (await this.#parts.readFile(tokenFile)).toString().trim();
  }

  /** Requests that come at once share one run of the program. */
  async #credentials(signal: AbortSignal): Promise<Credentials | null> {
    const { program } = this.destination;
    if (program === null) return null;
    const { programs, clock } = this.#parts;
    const current = await this.#fetching?.catch(() => null);
    if (current != null && clock.now() < (current.endsAt ?? Number.POSITIVE_INFINITY) - RENEW_MS) return current;
    this.#forgetCredentials();
    this.#fetching = runCredentialProgram(programs, program, signal);
    return await this.#fetching;
  }

  /** Requests that are under way keep their connections; those close by themselves once nobody uses them. */
  #forgetCredentials(): void {
    this.#fetching = null;
    this.#agent = null;
  }

  #agentFor(credentials: Credentials | null): PlainAgent {
    this.#agent ??= makeAgent(this.destination, credentials);
    return this.#agent;
  }
}

function makeAgent({ server, proxy, tls }: Destination, credentials: Credentials | null): PlainAgent {
  const lasting = { keepAlive: true, timeout: IDLE_MS, ...SOCKETS };
  if (server.protocol === "http:") {
    if (proxy !== null) throw refuse("It has a proxy-url for a server that is not https.");
    return new PlainAgent(lasting);
  }
  const [cert, key] = credentials?.cert == null ? [tls.cert, tls.key] : [credentials.cert, credentials.key];
  const options = {
    ...lasting,
    // A resumed session shows no certificate, and its end is part of what is looked for.
    maxCachedSessions: 0,
    rejectUnauthorized: tls.verify,
    // Certificates and keys are read once, not again for every connection.
    secureContext: createSecureContext({
      ...(tls.ca === null ? {} : { ca: tls.ca }),
      ...(cert === null ? {} : { cert }),
      ...(key === null ? {} : { key }),
    }),
    ...(tls.serverName === null ? {} : { servername: tls.serverName }),
  };
  return proxy === null ? new Agent(options) : new ProxyAgent(proxy, options);
}
