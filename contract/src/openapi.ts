import { z } from "zod";
import type { SchemaNode } from "./cluster/json-schema.ts";
import { cluster, clusterSpec } from "./cluster/schema.ts";
import { ERRORS } from "./errors.ts";
import { machine, machineProblem } from "./machine.ts";
import { machineFacts } from "./machine-facts.ts";
import { problemDetails } from "./routes/common.ts";
import { listErrors, ROUTES, type Route } from "./routes/index.ts";
import { job } from "./routes/jobs.ts";
import { user } from "./routes/users.ts";

type Json = Readonly<Record<string, unknown>>;

/** The whole API as an OpenAPI 3.1 document. Made when Drover is built: converting hundreds of schemas takes a while. */
export function makeOpenApi(): Json {
  const paths: Record<string, Record<string, Json>> = {};
  const shared = new SharedSchemas();
  for (const [resource, table] of Object.entries(ROUTES)) {
    for (const [name, route] of Object.entries(table as Record<string, Route>)) {
      const path = route.path.replaceAll(/:([A-Za-z]+)/g, "{$1}");
      paths[path] ??= {};
      paths[path][route.method.toLowerCase()] = describeRoute(resource, name, route, shared);
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Drover",
      version: "v1",
      description:
        "Declare clusters, watch what becomes of them, and decide who may. Every change is answered at once and happens in a job.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    tags: Object.keys(ROUTES).map((name) => ({ name })),
    paths,
    components: {
      schemas: shared.components,
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "An API token, or the token of the Argo CD plugin." },
        session: { type: "apiKey", in: "cookie", name: "drover_session" },
      },
    },
  };
}

function describeRoute(resource: string, name: string, route: Route, shared: SharedSchemas): Json {
  return {
    operationId: `${resource}.${name}`,
    tags: [resource],
    summary: route.summary,
    "x-drover-access": route.access,
    security: securityOf(route),
    parameters: [
      ...describeParameters("path", route.params),
      ...describeParameters("query", route.query),
      ...describeHeaders(route),
    ],
    ...describeBody(route, shared),
    responses: { [route.success]: describeSuccess(route, shared), ...describeErrors(route) },
  };
}

function securityOf({ access }: Route): readonly Json[] {
  if (access === "public") return [];
  return access === "plugin" ? [{ token: [] }] : [{ token: [] }, { session: [] }];
}

function describeParameters(place: "path" | "query", schema: z.ZodObject | undefined): readonly Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = toPlainSchema(schema, "input");
  return Object.entries(properties).map(([name, node]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: node,
  }));
}

function describeHeaders({ method, ifMatch }: Route): readonly Json[] {
  const header = (name: string, required: boolean, description: string) => ({
    ...{ name, in: "header", required, description },
    schema: { type: "string" },
  });
  return [
    ...(ifMatch === true
      ? [header("If-Match", true, "ETag of what the change is based on, or * for whatever is there.")]
      : []),
    ...(method === "POST"
      ? [header("Idempotency-Key", false, "A repeated request with the same key is done once.")]
      : []),
  ];
}

function describeBody({ body, documentBody }: Route, shared: SharedSchemas): Json {
  if (body === undefined) return {};
  const schema = shared.replace(toPlainSchema(body, "input"));
  const yaml = documentBody === true ? { "application/yaml": { schema } } : {};
  return {
    requestBody: { required: !body.safeParse(undefined).success, content: { "application/json": { schema }, ...yaml } },
  };
}

function describeAnswerHeaders({ method, ifMatch, fromSnapshot }: Route): Json {
  const text = { schema: { type: "string" } };
  const headers = {
    ...(method === "GET" || ifMatch === true ? { ETag: text } : {}),
    ...(fromSnapshot === true
      ? {
          "X-Drover-Snapshot": {
            description: "Only while the store cannot be reached: when what is answered was read from it.",
            schema: { type: "string", format: "date-time" },
          },
        }
      : {}),
  };
  return Object.keys(headers).length === 0 ? {} : { headers };
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  text: "text/plain",
  file: "application/gzip",
  sse: "text/event-stream",
};

function describeSuccess(route: Route, shared: SharedSchemas): Json {
  const description = {
    200: "Done.",
    201: "Made.",
    202: "Accepted; it happens afterwards.",
    204: "Done.",
    302: "Go on there.",
  };
  const headers = describeAnswerHeaders(route);
  if (route.response !== null) {
    const schema = shared.replace(toPlainSchema(route.response, "output"));
    return { description: description[route.success], ...headers, content: { "application/json": { schema } } };
  }
  const type = MEDIA_TYPES[route.delivery ?? ""];
  return {
    description: route.delivery === "websocket" ? "The connection becomes a WebSocket." : description[route.success],
    ...(type === undefined ? {} : { content: { [type]: { schema: { type: "string" } } } }),
  };
}

/** One answer for each status, which names the codes that it can carry. */
function describeErrors(route: Route): Readonly<Record<string, Json>> {
  const byStatus = new Map<number, string[]>();
  for (const code of listErrors(route)) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const content = { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } };
  return Object.fromEntries(
    [...byStatus.entries()].map(([status, found]) => [status, { description: found.sort().join(", "), content }]),
  );
}

/** Schemas that many routes use stand in one place; wherever one occurs, however deep, it is only referred to. */
class SharedSchemas {
  readonly components: Record<string, SchemaNode> = {};
  readonly #names = new Map<string, string>();

  constructor() {
    const named = { Job: job, User: user, Problem: problemDetails };
    for (const [name, schema] of Object.entries(named)) this.#add(name, toPlainSchema(schema, "output"));
    this.#add("ClusterSpec", toPlainSchema(clusterSpec, "output"));
    this.#add("Cluster", toPlainSchema(cluster, "output"));
    this.#add("ClusterDeclaration", toPlainSchema(cluster, "input"));
    this.#add("MachineFacts", toPlainSchema(machineFacts, "output"));
    this.#add("MachineProblem", toPlainSchema(machineProblem, "output"));
    this.#add("Machine", toPlainSchema(machine, "output"));
  }

  #add(name: string, node: SchemaNode): void {
    this.components[name] = this.replace(node);
    this.#names.set(JSON.stringify(node), name);
  }

  replace(node: SchemaNode): SchemaNode {
    const name = this.#names.get(JSON.stringify(node));
    if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, this.#replaceIn(value)]));
  }

  #replaceIn(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#replaceIn(item));
    return typeof value === "object" && value !== null ? this.replace(value as SchemaNode) : value;
  }
}

function toPlainSchema(schema: z.ZodType, io: "input" | "output"): SchemaNode {
  const { $schema: _, ...node } = z.toJSONSchema(schema, { io, reused: "inline", target: "draft-2020-12" });
  return dropNotes(node as SchemaNode);
}

/** What only Drover's own forms and the CRD read. */
const NOTES: ReadonlySet<string> = new Set(["cel", "form", "listKey", "~standard"]);

function dropNotes(node: SchemaNode): SchemaNode {
  const kept = Object.entries(node).filter(([keyword]) => !NOTES.has(keyword));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, dropNotesIn(keyword, value)]));
}

/** Below `properties` stand names of fields, which may be called as notes are. */
function dropNotesIn(keyword: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => dropNotesIn("", item));
  if (typeof value !== "object" || value === null || keyword === "default") return value;
  if (keyword !== "properties") return dropNotes(value as SchemaNode);
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, dropNotes(child as SchemaNode)]));
}
