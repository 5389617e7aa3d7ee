import { readFile } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { canonicalJson } from "../../domain/canonical.ts";
import { sha256 } from "../../lib/sha256.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Connector } from "../../ports/connector.ts";
import type { KubernetesApi, KubernetesLook, KubernetesTarget } from "../../ports/kubernetes-api.ts";
import type { Timer } from "../../ports/timer.ts";
import { Connection, type Question } from "./connection.ts";
import { type Destination, readDestination } from "./destination.ts";
import { lookInside, lookQuickly, parseJson, refusal } from "./look.ts";
import { readTarget, refuse } from "./read-target.ts";

export interface KubernetesClientParts {
  readonly clock: Clock;
  readonly timer: Timer;
  readonly programs: Pick<Connector, "run">;
  /** How long one request may take before nobody is taken to answer. */
  readonly deadlineMs?: number;
}

const DEADLINE_MS = 10_000;
/** Ways that nobody used for this long are given up. */
const UNUSED_MS = 15 * 60_000;
/** Files that a kubeconfig names are read again after this long. */
const FILES_MS = 5 * 60_000;
const SWEEP_MS = 60_000;
const FIELD_MANAGER = "drover";

type Request = Pick<Question, "method" | "path" | "body">;

/** The Kubernetes API over HTTPS, without a process and without a library: one connection for each target. */
export class KubernetesClient implements KubernetesApi {
  readonly #parts: KubernetesClientParts;
  readonly #connections = new Map<string, Promise<Connection>>();
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(parts: KubernetesClientParts) {
    this.#parts = parts;
  }

  async look(
    target: KubernetesTarget,
    { thorough, signal }: { readonly thorough: boolean; readonly signal: AbortSignal },
  ): Promise<KubernetesLook> {
    const connection = await this.#connect(target);
    const { server, clientCertificateEnds } = connection.destination;
    const get = async (path: string) => await this.#ask(connection, { method: "GET", path }, signal);
    const { serverCertificateEnds, ...quick } = await lookQuickly(get);
    const known = thorough ? null : connection.lastLook;
    // An API that is not ready may well not list anything; what it said before is of more use.
    const inside = known ?? (quick.ready ? await lookInside(get, this.#parts.clock.now()) : connection.lastLook);
    const { nodes = [], useFrom = null, unwellPods = [], withheld = [] } = inside ?? {};
    const look: KubernetesLook = {
      ...{ ...quick, nodes, useFrom, unwellPods, withheld },
      endpoint: server.href.replace(/\/$/, ""),
      certificates: { server: serverCertificateEnds, client: clientCertificateEnds },
    };
    if (inside !== null && known === null) connection.lastLook = look;
    return look;
  }

  async get(target: KubernetesTarget, path: string, signal: AbortSignal): Promise<unknown> {
    return await this.#object(target, { method: "GET", path }, signal);
  }

  async patch(
    target: KubernetesTarget,
    path: string,
    body: unknown,
    { apply = false, signal }: { readonly apply?: boolean; readonly signal: AbortSignal },
  ): Promise<unknown> {
    const text = JSON.stringify(body);
    const query = `${path.includes("?") ? "&" : "?"}fieldManager=${FIELD_MANAGER}${apply ? "&force=true" : ""}`;
    const type = apply ? "application/apply-patch+yaml" : "application/merge-patch+json";
    const changed = await this.#object(target, { method: "PATCH", path: path + query, body: { type, text } }, signal);
    if (changed === null) throw refusal({ status: 404, text: "", certificateEnds: null });
    return changed;
  }

  async post(target: KubernetesTarget, path: string, body: unknown, signal: AbortSignal): Promise<unknown> {
    const json = { type: "application/json", text: JSON.stringify(body) };
    const connection = await this.#connect(target);
    const answer = await this.#ask(connection, { method: "POST", path, body: json }, signal);
    if (answer.status >= 300) throw refusal(answer);
    return parseJson(answer);
  }

  async delete(target: KubernetesTarget, path: string, signal: AbortSignal): Promise<boolean> {
    return (await this.#object(target, { method: "DELETE", path }, signal)) !== null;
  }

  /** Closes every connection. New ones are made when they are needed. */
  async close(): Promise<void> {
    const open = await Promise.allSettled(this.#connections.values());
    this.#connections.clear();
    for (const one of open) if (one.status === "fulfilled") one.value.close();
  }

  /** Null when there is no such object. */
  async #object(target: KubernetesTarget, request: Request, signal: AbortSignal): Promise<unknown> {
    const connection = await this.#connect(target);
    const answer = await this.#ask(connection, request, signal);
    if (answer.status === 404) return null;
    if (answer.status >= 300) throw refusal(answer);
    return parseJson(answer);
  }

  async #ask(connection: Connection, request: Request, signal: AbortSignal) {
    signal.throwIfAborted();
    return await connection.ask({ ...request, signal, deadlineMs: this.#parts.deadlineMs ?? DEADLINE_MS });
  }

  async #connect(target: KubernetesTarget): Promise<Connection> {
    await this.#closeUnused();
    const { kubeconfig, context = null, allow = {} } = target;
    // The text itself is not kept as a key: it is full of secrets.
    const key = sha256(canonicalJson({ kubeconfig, context, allow: { ...allow } }));
    const known = this.#connections.get(key);
    if (known !== undefined) return await known;
    const opening = this.#open(target);
    this.#connections.set(key, opening);
    try {
      return await opening;
    } catch (error) {
      this.#connections.delete(key);
      throw error;
    }
  }

  async #open(target: KubernetesTarget): Promise<Connection> {
    const { clock, timer, programs } = this.#parts;
    const destination: Destination = await readDestination(readTarget(target), readNamedFile);
    return new Connection(destination, { clock, timer, programs, readFile: readNamedFile });
  }

  /** Requests that are still under way end as they would have; only what nobody asks through any more is closed. */
  async #closeUnused(): Promise<void> {
    const now = this.#parts.clock.monotonic();
    if (now - this.#sweptAt < SWEEP_MS) return;
    this.#sweptAt = now;
    for (const [key, opening] of [...this.#connections]) {
      const connection = await opening.catch(() => null);
      if (connection === null) continue;
      const unused = now - connection.usedAt > UNUSED_MS;
      const outdated = connection.destination.fromFiles && now - connection.openedAt > FILES_MS;
      if (unused) connection.close();
      if (unused || outdated) this.#connections.delete(key);
    }
  }
}

async function readNamedFile(path: string): Promise<Buffer> {
  if (!isAbsolute(path)) throw refuse(`It names the file ${path}, relative to nothing that is known here.`);
  try {
    return await readFile(path);
  } catch (error) {
    throw refuse(`The file ${path} that it names cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}
