import type { z } from "zod";
import type { ErrorCode } from "../errors.ts";

/** What people may do: viewers read, operators change clusters, administrators change who may do what. */
export const ROLES = ["admin", "operator", "viewer"] as const;
export type Role = (typeof ROLES)[number];

/** `public` needs nothing; `plugin` needs the token of the Argo CD plugin and accepts no other. */
export type Access = Role | "public" | "plugin";

export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type Method = (typeof METHODS)[number];

/** How an answer is sent when it is not a JSON body. */
export type Delivery = "json" | "text" | "file" | "sse" | "websocket" | "redirect";

/**
 * One address of the API. The server, the OpenAPI document, the CLI's client and the web UI's hooks are derived
 * from this, and a route without a handler does not compile.
 */
export interface Route {
  readonly method: Method;
  /** Parameters as `:name`; each is declared in `params`. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly access: Access;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The body is a document, as JSON or YAML, that the use case itself checks; the schema only describes it. */
  readonly documentBody?: true;
  readonly success: 200 | 201 | 202 | 204 | 302;
  /** Null: the answer has no body of its own, or is no JSON. */
  readonly response: z.ZodType | null;
  readonly delivery?: Exclude<Delivery, "json">;
  /** The change names the version it is based on by If-Match; answers carry an ETag. */
  readonly ifMatch?: true;
  /** While the store cannot be reached, the last snapshot of it answers, and says so by `X-Drover-Snapshot`. */
  readonly fromSnapshot?: true;
  /** Errors particular to this route, beside those that any route can answer with. */
  readonly errors: readonly ErrorCode[];
}

export type RouteTable = Readonly<Record<string, Route>>;

/** Errors that every route can answer with. */
export const COMMON_ERRORS = [
  "request-invalid",
  "host-refused",
  "origin-refused",
  "rate-limited",
  "internal-error",
  "store-unreachable",
  "store-full",
  "store-locked",
] as const satisfies readonly ErrorCode[];

/** Errors of whatever can be sent a body. */
const BODY_ERRORS = ["document-too-large", "media-type-unsupported"] as const satisfies readonly ErrorCode[];

/** Every error that a route announces: no other may be answered under its address. */
export function listErrors({ access, method, errors }: Route): ReadonlySet<ErrorCode> {
  const ofCallers: readonly ErrorCode[] = access === "public" ? [] : ["unauthenticated", "forbidden"];
  const ofRepeats: readonly ErrorCode[] = method === "POST" ? ["idempotency-key-reused"] : [];
  const ofBodies = method === "GET" ? [] : BODY_ERRORS;
  return new Set([...COMMON_ERRORS, ...errors, ...ofCallers, ...ofRepeats, ...ofBodies]);
}

type Output<S, Otherwise> = S extends z.ZodType ? z.output<S> : Otherwise;

export interface RouteRequest<R extends Route> {
  readonly params: R extends { params: infer S } ? Output<S, unknown> : Record<never, never>;
  readonly query: R extends { query: infer S } ? Output<S, unknown> : Record<never, never>;
  readonly body: R extends { documentBody: true }
    ? unknown
    : R extends { body: infer S }
      ? Output<S, unknown>
      : undefined;
}

/** What a handler gives back: the JSON body, or nothing where the route has none of its own. */
export type RouteAnswer<R extends Route> = R["response"] extends z.ZodType ? z.input<R["response"]> : undefined;

export type Handler<R extends Route, Context = unknown> = (
  request: RouteRequest<R>,
  context: Context,
) => Promise<RouteAnswer<R>> | RouteAnswer<R>;

/** One handler for each route of a table, checked by the compiler: `satisfies Handlers<typeof clusterRoutes>`. */
export type Handlers<T extends RouteTable, Context = unknown> = {
  readonly [Name in keyof T]: Handler<T[Name], Context>;
};

/** The parameters that a path names: `/clusters/:name/nodes/:node` → `"name" | "node"`. */
export type PathParameter<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParameter<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? Name
    : never;

type QueryValue = string | number | boolean | undefined | readonly string[];

type Parameters<P extends string> = [PathParameter<P>] extends [never]
  ? { readonly params?: undefined }
  : { readonly params: Readonly<Record<PathParameter<P>, string | number>> };

/** The address of a route, with its parameters filled in and escaped. */
export function buildPath<P extends `/${string}`>(
  route: { readonly path: P },
  values: Parameters<P> & { readonly query?: Readonly<Record<string, QueryValue>> },
): string {
  const params = (values.params ?? {}) as Readonly<Record<string, string | number>>;
  const path = route.path.replaceAll(/:([A-Za-z]+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const query = Object.entries(values.query ?? {}).flatMap(([key, value]) => {
    const items = Array.isArray(value) ? value : [value];
    return items
      .filter((item) => item !== undefined)
      .map((item) => `${encodeURIComponent(key)}=${encodeURIComponent(item)}`);
  });
  return query.length === 0 ? path : `${path}?${query.join("&")}`;
}
