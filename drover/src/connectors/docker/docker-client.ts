import { setMaxListeners } from "node:events";
import { Agent, type ClientRequest, type IncomingMessage, type RequestOptions, request as sendPlain } from "node:http";
import { request as sendTls, Agent as TlsAgent } from "node:https";
import { EngineError } from "../../ports/container-engine.ts";
import { type AddressSettings, type DockerAddress, readDockerAddress } from "./docker-address.ts";

export interface Question {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Without a version: the oldest engines in use know none of those that the newest still take. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: { readonly type: string; readonly bytes: Buffer };
  readonly signal: AbortSignal;
  readonly deadlineMs?: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

const DEADLINE_MS = 10_000;
/** A thousand containers take some five megabytes. */
const LARGEST_ANSWER_BYTES = 64 * 1024 * 1024;
const CONNECTIONS = 16;

/** Asks one Docker engine over connections that are kept. */
export class DockerClient {
  readonly #settings: AddressSettings;
  #connection: { readonly address: DockerAddress; readonly agent: Agent } | null = null;

  constructor(settings: AddressSettings) {
    this.#settings = settings;
  }

  get where(): string {
    return this.#settings.host;
  }

  async ask(question: Question): Promise<Answer> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#send(question);
      } catch (error) {
        // Connections that were kept may have ended meanwhile, all of them: the engine never saw the question.
        if (!(error instanceof StaleConnection) || tries > CONNECTIONS) throw error;
      }
    }
  }

  close(): void {
    this.#connection?.agent.destroy();
    this.#connection = null;
  }

  #send(question: Question): Promise<Answer> {
    const { signal, deadlineMs = DEADLINE_MS } = question;
    if (signal.aborted) return Promise.reject(this.#calledOff(signal));
    return new Promise<Answer>((resolve, reject) => {
      const request = this.#open(question);
      const abort = (): void => void request.destroy(this.#calledOff(signal));
      const tooLate = new EngineError(
        "unreachable",
        `Docker at ${this.where} did not answer in ${deadlineMs / 1000} s.`,
      );
      const timer = setTimeout(() => request.destroy(tooLate), deadlineMs);
      // One signal may stand over any number of questions; each takes its listener off.
      setMaxListeners(0, signal);
      signal.addEventListener("abort", abort, { once: true });
      const end = (settle: () => void): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", abort);
        settle();
      };
      const fail = (error: Error, mayRepeat: boolean): void => end(() => reject(this.#describe(error, mayRepeat)));
      request.once("error", (error) => fail(error, request.reusedSocket));
      request.once("response", (response) => {
        collect(
          response,
          (error) => fail(error, false),
          (answer) => end(() => resolve(answer)),
        );
      });
      request.end(question.body?.bytes);
    });
  }

  #open({ method, path, query, body }: Question): ClientRequest {
    this.#connection ??= connect(readDockerAddress(this.#settings));
    const { address, agent } = this.#connection;
    const target = query === undefined ? path : `${path}?${new URLSearchParams(query)}`;
    const headers = { host: "docker", ...(body === undefined ? {} : { "content-type": body.type }) };
    const options: RequestOptions = { method, path: target, agent, headers };
    if (address.kind === "socket") return sendPlain({ ...options, socketPath: address.path });
    const { host, port, tls } = address;
    return (tls === null ? sendPlain : sendTls)({ ...options, host, port });
  }

  #calledOff(signal: AbortSignal): EngineError {
    return new EngineError("unreachable", "The question to Docker was called off.", { cause: signal.reason });
  }

  #describe(error: NodeJS.ErrnoException, mayRepeat: boolean): Error {
    if (error instanceof EngineError) return error;
    if (mayRepeat && (error.code === "ECONNRESET" || error.code === "EPIPE"))
      return new StaleConnection("unreachable", `Docker at ${this.where} broke off.`);
    const why = CONNECTION_PROBLEMS[error.code ?? ""] ?? `cannot be reached: ${error.message}.`;
    return new EngineError("unreachable", `Docker at ${this.where} ${why}`, { cause: error });
  }
}

class StaleConnection extends EngineError {}

const CONNECTION_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: "is not there. Start Docker, or say with DOCKER_HOST where it is.",
  ECONNREFUSED: "does not answer. Start Docker, or say with DOCKER_HOST where it is.",
  EACCES: "may not be used by this user. Add the user to the group docker, log in anew and start Drover again.",
  ECONNRESET: "broke off in the middle. Look whether it was restarted.",
};

function connect(address: DockerAddress): { address: DockerAddress; agent: Agent } {
  const options = { keepAlive: true, maxSockets: CONNECTIONS };
  const tls = address.kind === "tcp" ? address.tls : null;
  return { address, agent: tls === null ? new Agent(options) : new TlsAgent({ ...options, ...tls }) };
}

function collect(response: IncomingMessage, fail: (error: Error) => void, done: (answer: Answer) => void): void {
  const parts: Buffer[] = [];
  let bytes = 0;
  response.on("data", (part: Buffer) => {
    bytes += part.length;
    parts.push(part);
    if (bytes > LARGEST_ANSWER_BYTES) response.destroy(new EngineError("refused", "Docker's answer is far too long."));
  });
  response.once("error", fail);
  response.once("end", () =>
    done({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
  );
}
