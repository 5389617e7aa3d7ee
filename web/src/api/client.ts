import type { ROUTES, Route } from "@drover/contract";
import { makeRandomId } from "../lib/random-id.ts";
import { readError, transportError } from "./api-error.ts";
import { ROUTE_ADDRESSES } from "./generated/routes.ts";

type Tables = typeof ROUTES;
export type TableName = keyof Tables;
export type RouteName<T extends TableName> = keyof Tables[T] & string;
type RouteOf<T extends TableName, N extends RouteName<T>> = Tables[T][N] extends Route ? Tables[T][N] : never;

type SchemaInput<S> = S extends { readonly _zod: { readonly input: infer I } } ? I : never;
type SchemaOutput<S> = S extends { readonly _zod: { readonly output: infer O } } ? O : undefined;

/** What the answer of a route holds. */
export type Answer<T extends TableName, N extends RouteName<T>> = SchemaOutput<RouteOf<T, N>["response"]>;

/** Anything that can stand in an address; what is undefined is left out. */
type QueryValue = string | number | boolean | undefined | readonly (string | number)[];
export type Query<T extends TableName, N extends RouteName<T>> =
  RouteOf<T, N> extends { readonly query: infer S } ? { readonly [Key in keyof SchemaInput<S>]?: QueryValue } : never;

type Params<T extends TableName, N extends RouteName<T>> =
  RouteOf<T, N> extends { readonly params: infer S }
    ? { readonly params: { readonly [Key in keyof SchemaInput<S>]: string | number } }
    : { readonly params?: never };

type Body<T extends TableName, N extends RouteName<T>> =
  RouteOf<T, N> extends { readonly documentBody: true }
    ? string
    : RouteOf<T, N> extends { readonly body: infer S }
      ? SchemaInput<S>
      : undefined;

export type CallRequest<T extends TableName, N extends RouteName<T>> = Params<T, N> & {
  readonly query?: Query<T, N> | undefined;
  /** JSON, or the text of a YAML document where the route takes documents. */
  readonly body?: Body<T, N>;
  /** The version that a change is based on. */
  readonly version?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The same for repetitions of one and the same wish, so that it is granted only once. */
  readonly idempotencyKey?: string | undefined;
};

const PATIENCE_MS = 30_000;

/** Hears of every answer: how the page learns that nobody is signed in any more, or that it reads a snapshot. */
export interface AnswerListener {
  onUnauthenticated(): void;
  onSnapshot(time: string | null): void;
}

let listener: AnswerListener = { onUnauthenticated: () => {}, onSnapshot: () => {} };

export function listenToAnswers(next: AnswerListener): void {
  listener = next;
}

/** The address of a route with its parameters and query filled in. */
export function addressOf<T extends TableName, N extends RouteName<T>>(
  table: T,
  name: N,
  { params, query }: { readonly params?: Readonly<Record<string, string | number>>; readonly query?: object } = {},
): string {
  const [, path] = findAddress(table, name);
  const filled = path.replaceAll(/:([A-Za-z]+)/g, (_, key: string) => encodeURIComponent(String(params?.[key])));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries((query ?? {}) as Record<string, QueryValue>)) {
    for (const item of Array.isArray(value) ? value : [value]) if (item !== undefined) search.append(key, String(item));
  }
  return search.size === 0 ? filled : `${filled}?${search}`;
}

function findAddress(table: TableName, name: string): readonly [string, string] {
  const routes = ROUTE_ADDRESSES[table] as Readonly<Record<string, readonly [string, string]>>;
  return routes[name] as readonly [string, string];
}

/** Asks the server by the name of a route. Ends with the body of the answer, or throws an ApiError. */
export async function callApi<T extends TableName, N extends RouteName<T>>(
  table: T,
  name: N,
  request: CallRequest<T, N>,
): Promise<Answer<T, N>> {
  const answer = await send(table, name, request);
  if (answer.status === 204) return undefined as Answer<T, N>;
  const type = answer.headers.get("content-type") ?? "";
  if (!type.includes("json")) return (await answer.text()) as Answer<T, N>;
  try {
    return (await answer.json()) as Answer<T, N>;
  } catch {
    throw transportError("unreadable", answer.status);
  }
}

async function send<T extends TableName, N extends RouteName<T>>(
  table: T,
  name: N,
  { body, version, signal, idempotencyKey, ...address }: CallRequest<T, N>,
): Promise<Response> {
  const [method] = findAddress(table, name);
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const answer = await fetch(addressOf(table, name, address as { query?: object }), {
    method,
    headers: {
      accept: "application/json",
      ...contentType(body),
      ...(version === undefined ? {} : { "if-match": `"${version}"` }),
      ...(method === "POST" ? { "idempotency-key": idempotencyKey ?? makeRandomId() } : {}),
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    signal: signal === undefined ? patience : AbortSignal.any([signal, patience]),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw transportError(patience.aborted ? "timeout" : "network");
  });
  listener.onSnapshot(answer.headers.get("x-drover-snapshot"));
  if (answer.ok) return answer;
  const error = await readError(answer);
  if (error.code === "unauthenticated") listener.onUnauthenticated();
  throw error;
}

function contentType(body: unknown): Record<string, string> {
  if (body === undefined) return {};
  return { "content-type": typeof body === "string" ? "application/yaml" : "application/json" };
}
