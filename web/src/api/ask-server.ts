import type { metaRoutes } from "@drover/contract";
import type { Answer, Cause } from "./server-status.ts";

/** Typed by the contract but written out: the page does not carry the contract's schemas for two addresses. */
const VERSION: (typeof metaRoutes)["version"]["path"] = "/api/v1/version";
const READINESS: (typeof metaRoutes)["readiness"]["path"] = "/readyz";

const PATIENCE_MS = 5_000;

/** Asks the server who it is and whether it can work. Never throws. */
export async function askServer(signal: AbortSignal, ask: typeof fetch = fetch): Promise<Answer> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  const get = (path: string) => ask(path, { signal: patience, headers: { accept: "application/json" } });
  try {
    const [version, readiness] = await Promise.all([get(VERSION), get(READINESS)]);
    if (!version.ok) return fail({ kind: "status", status: version.status });
    if (!readiness.ok && readiness.status !== 503) return fail({ kind: "status", status: readiness.status });
    const name = readText(await version.json(), "version");
    if (name === undefined) return fail({ kind: "unreadable" });
    return { ok: true, version: name, ready: readiness.ok, detail: readText(await readiness.json(), "detail") };
  } catch (error) {
    return fail({ kind: classify(error) });
  }
}

const fail = (cause: Cause): Answer => ({ ok: false, cause });

function classify(error: unknown): "timeout" | "network" | "unreadable" {
  if (error instanceof DOMException && error.name === "TimeoutError") return "timeout";
  return error instanceof SyntaxError ? "unreadable" : "network";
}

function readText(body: unknown, key: string): string | undefined {
  if (typeof body !== "object" || body === null || !Object.hasOwn(body, key)) return undefined;
  const value: unknown = (body as Record<string, unknown>)[key];
  return typeof value === "string" ? value : undefined;
}
