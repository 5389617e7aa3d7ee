import fc from "fast-check";
import { CONTENT_TYPES, HOSTILE_BODIES, HOSTILE_TEXTS, HOSTILE_VALUES } from "./hostile.ts";
import { type SchemaNode, valuesOf } from "./values.ts";

export interface FuzzRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly schema: SchemaNode;
}

interface Operation {
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: SchemaNode }>> };
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, SchemaNode>> };
}

/** What exists, so that requests also get past the first door: good values by the name of a parameter. */
export type Known = Readonly<Record<string, readonly string[]>>;

export interface FuzzWorld {
  readonly openApi: OpenApi;
  readonly known: Known;
  readonly tokens: readonly string[];
  /** A document that is good. */
  readonly document: string;
}

/** Any request that the OpenAPI document allows, and most that it does not. */
export function requestsOf(world: FuzzWorld): fc.Arbitrary<FuzzRequest> {
  const operations = Object.entries(world.openApi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return fc.oneof(...operations.map((one) => requestsTo(world, one)));
}

function requestsTo(
  world: FuzzWorld,
  { path, method, operation }: { path: string; method: string; operation: Operation },
): fc.Arbitrary<FuzzRequest> {
  const named = (place: Parameter["in"]) => operation.parameters.filter((one) => one.in === place);
  const record = (place: Parameter["in"]) =>
    fc.record(Object.fromEntries(named(place).map((one) => [one.name, parameterValues(world, one)])));
  const strange = oneIn(40, fc.constantFrom("PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "POST", "TRACE"));
  return fc
    .record({
      method: strange.map((other) => other ?? method),
      path: record("path").map((values) =>
        path.replaceAll(/\{(\w+)\}/g, (_, name: string) => escapePart(values[name])),
      ),
      query: fc.tuple(
        record("query"),
        oneIn(15, fc.constantFrom("x=1", "limit=1&limit=2", "a[b]=c", "__proto__=1", "&&&", "%")),
      ),
      given: record("header"),
      token: fc.oneof(
        { arbitrary: fc.constantFrom(...world.tokens), weight: 12 },
        { arbitrary: fc.constantFrom("", "drv_made-up", "\u00ff", "x".repeat(600)), weight: 1 },
      ),
      extra: extraHeaders,
      body: bodiesOf(world, operation),
    })
    .map(({ method: asked, path: where, query: [known, odd], given, token, extra, body }) => {
      const pairs = Object.entries(known).flatMap(([name, value]) =>
        value === null ? [] : [`${name}=${encodeURIComponent(toText(value))}`],
      );
      const search = [...pairs, ...(odd === null ? [] : [odd])].join("&");
      const sent = Object.entries(given).flatMap(([name, value]) =>
        value === null ? [] : [[name.toLowerCase(), toText(value)] as const],
      );
      return {
        ...{ method: asked, url: search === "" ? where : `${where}?${search}` },
        headers: printable({
          ...Object.fromEntries(sent),
          ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
          ...(body === null ? {} : { "content-type": body.type }),
          ...extra,
        }),
        body: body?.text ?? null,
      };
    });
}

function parameterValues(
  { known, openApi }: FuzzWorld,
  { name, required, schema, in: place }: Parameter,
): fc.Arbitrary<unknown> {
  const good = known[name] ?? known[name.toLowerCase()];
  return fc.oneof(
    ...(good === undefined ? [] : [{ arbitrary: fc.constantFrom<unknown>(...good), weight: 8 }]),
    { arbitrary: valuesOf(schema, openApi.components.schemas), weight: 4 },
    { arbitrary: fc.constantFrom<unknown>(...HOSTILE_TEXTS), weight: 2 },
    ...(required && place === "path" ? [] : [{ arbitrary: fc.constant<unknown>(null), weight: 8 }]),
  );
}

function bodiesOf(world: FuzzWorld, { requestBody }: Operation): fc.Arbitrary<{ type: string; text: string } | null> {
  const types = fc.oneof({ arbitrary: fc.constant("application/json"), weight: 8 }, fc.constantFrom(...CONTENT_TYPES));
  const hostile = fc.record({ type: types, text: fc.constantFrom(...HOSTILE_BODIES) });
  if (requestBody === undefined) return oneIn(20, hostile);
  const schema = requestBody.content["application/json"]?.schema ?? {};
  const data = valuesOf(schema, world.openApi.components.schemas);
  const isDocument = requestBody.content["application/yaml"] !== undefined;
  const wrong = fc
    .tuple(data, fc.nat(), fc.constantFrom(...HOSTILE_VALUES))
    .map(([value, at, bad]) => putAt(value, at, bad));
  const json = (values: fc.Arbitrary<unknown>) =>
    fc.record({ type: types, text: values.map((value) => JSON.stringify(value) ?? "") });
  const document = fc.constant({ type: "application/yaml", text: world.document });
  return fc.oneof(
    { arbitrary: json(data), weight: 6 },
    { arbitrary: json(wrong), weight: 4 },
    { arbitrary: isDocument ? document : json(data), weight: 4 },
    { arbitrary: hostile, weight: 2 },
    { arbitrary: fc.constant(null), weight: 1 },
  );
}

const extraHeaders: fc.Arbitrary<Record<string, string>> = fc
  .record({
    origin: oneIn(25, fc.constantFrom("https://evil.example", "null", "http://localhost.evil.example")),
    host: oneIn(40, fc.constantFrom("evil.example", "127.0.0.1.evil.example", "[::1", "a b")),
    "if-match": oneIn(2, fc.constantFrom("*", '"1"', '"2.x"', 'W/"1"', '"999999"', "garbage", '""', '"1e9"')),
    "if-none-match": oneIn(10, fc.constantFrom("*", '"x"', "garbage", ",,,")),
    "idempotency-key": oneIn(4, fc.constantFrom("k1", "k2", "k3", "with space", "x".repeat(300))),
    "last-event-id": oneIn(20, fc.constantFrom("0", "-1", "nonsense", "99999999999999999999", "1")),
    cookie: oneIn(20, fc.constantFrom("drover_session=x", "drover_session=", "a=b; a=b; =", "drover_session=%00")),
    accept: oneIn(20, fc.constantFrom("text/html", "application/xml", "*/*;q=0")),
    "x-forwarded-for": oneIn(30, fc.constantFrom("1.2.3.4", "nonsense", "::1, ::1")),
  })
  .map((headers) =>
    Object.fromEntries(Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== null)),
  );

function oneIn<T>(times: number, some: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ arbitrary: fc.constant(null), weight: times - 1 }, { arbitrary: some, weight: 1 });
}

/** Halves of characters cannot be sent in an address. */
const toText = (value: unknown): string =>
  (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).replaceAll(/[\ud800-\udfff]/gu, "?");

/** Some are escaped as they should be; what is escaped in the sample already stays as it is. */
function escapePart(value: unknown): string {
  const text = toText(value);
  return /%|^\.{1,2}$/.test(text) ? text.replaceAll(/[^!-~]|[#?]/g, "") : encodeURIComponent(text);
}

/** Headers that a client could send at all. */
const printable = (headers: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, "?")]),
  );

/** The same data with another value at some place in it. */
function putAt(value: unknown, at: number, bad: unknown): unknown {
  if (typeof value !== "object" || value === null) return bad;
  const keys = Object.keys(value);
  if (keys.length === 0 || at % 7 === 0)
    return Array.isArray(value) ? [...value, bad] : { ...value, unknownField: bad };
  const key = keys[at % keys.length] as string;
  const inner = putAt((value as Record<string, unknown>)[key], Math.floor(at / 7), bad);
  return Array.isArray(value) ? value.with(Number(key), inner) : { ...value, [key]: inner };
}
