import { DroverError } from "@drover/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { WebSocket } from "ws";
import type { Caller } from "../app/caller.ts";
import { sha256 } from "../lib/sha256.ts";
import type { Idempotency } from "../ports/store/index.ts";
import type { WatchAccess } from "./access-watch.ts";
import type { LimitRate } from "./rate-limit.ts";

declare module "fastify" {
  interface FastifyInstance {
    authenticate: (request: FastifyRequest, options: { readonly orRemembered: boolean }) => Promise<Caller | null>;
    /** Throws when whoever asks has asked too often. */
    limitRate: LimitRate;
    /** For whatever stays open longer than a request. */
    watchAccess: WatchAccess;
  }
  interface FastifyRequest {
    caller: Caller | null;
    /** What the store was at before anything was read for this request; null where nobody has to be known. */
    storeStamp: string | null;
    /** Why the store could not say who asks; set only where a snapshot may answer in its place. */
    storeFailure: DroverError | null;
  }
}

/** What a handler may need of the request beyond its own input. */
export class RequestContext {
  readonly request: FastifyRequest;
  readonly #reply: FastifyReply | null;
  #useSocket: ((socket: WebSocket) => void) | null = null;
  #version: number | null = null;

  constructor(request: FastifyRequest, reply: FastifyReply | null) {
    this.request = request;
    this.#reply = reply;
  }

  /** For answers that are not JSON: files, streams, redirects, cookies. */
  get reply(): FastifyReply {
    if (this.#reply === null) throw new Error("This route is delivered over a WebSocket.");
    return this.#reply;
  }

  get log(): FastifyRequest["log"] {
    return this.request.log;
  }

  /** Who asks; on public routes nobody may be known. */
  get caller(): Caller {
    if (this.request.caller === null) throw new DroverError("unauthenticated", "The request names nobody.");
    return this.request.caller;
  }

  /** For routes that are delivered over a WebSocket: what to do with it once it is open. */
  onSocket(use: (socket: WebSocket) => void): void {
    this.#useSocket = use;
  }

  openSocket(socket: WebSocket): void {
    if (this.#useSocket === null) socket.terminate();
    else this.#useSocket(socket);
  }

  /** The version that the answer is of: goes into its ETag, and comes back as If-Match. */
  set version(version: number) {
    this.#version = version;
  }

  get answeredVersion(): number | null {
    return this.#version;
  }

  /** The version that the change is based on; null stands for whatever is there (`*`). */
  get expectedVersion(): number | null {
    const header = this.request.headers["if-match"];
    if (header === undefined) throw new DroverError("precondition-required", "The header If-Match is missing.");
    if (header.trim() === "*") return null;
    const [, version] = /^(?:W\/)?"(\d{1,15})(?:\.[\w-]*)?"$/.exec(header.trim()) ?? [];
    if (version !== undefined) return Number(version);
    throw new DroverError("request-invalid", "The header If-Match is not an ETag that Drover gave out.");
  }

  /** Who repeats a request with the same key gets the first answer. */
  get idempotency(): { readonly idempotency?: Idempotency } {
    const key = this.request.headers["idempotency-key"];
    if (key === undefined) return {};
    if (typeof key !== "string" || !/^[\x21-\x7e]{1,255}$/.test(key)) {
      throw new DroverError("request-invalid", "An Idempotency-Key has 1 to 255 visible ASCII characters.");
    }
    const { method, url, body } = this.request;
    return { idempotency: { key, requestHash: sha256(`${method} ${url}\n${typeof body === "string" ? body : ""}`) } };
  }
}
