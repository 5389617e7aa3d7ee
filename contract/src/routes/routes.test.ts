import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { ERRORS } from "../errors.ts";
import {
  buildPath,
  COMMON_ERRORS,
  type Handlers,
  type PathParameter,
  ROUTES,
  type Route,
  type RouteRequest,
} from "./index.ts";

const ALL = Object.entries(ROUTES).flatMap(([resource, table]) =>
  Object.entries(table as Record<string, Route>).map(([name, route]) => ({ title: `${resource}.${name}`, route })),
);

/** Changes that anyone who is signed in, or is about to, may make: to what is their own, or to nothing at all. */
const OPEN_CHANGES: readonly string[] = [
  "clusters.validateCluster",
  "groups.saveView",
  "groups.deleteView",
  "machines.checkMachines",
  "sessions.login",
  "sessions.loginWithLink",
  "sessions.logout",
  "sessions.changeMe",
  "sessions.revokeSession",
  "tokens.createToken",
  "tokens.revokeToken",
];

describe("the route table", () => {
  it("has no two routes that answer the same request", () => {
    const keys = ALL.map(({ route }) => `${route.method} ${route.path.replaceAll(/:[A-Za-z]+/g, ":")}`);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  it.each(ALL)("$title declares exactly the parameters of its path", ({ route }) => {
    const named = [...route.path.matchAll(/:([A-Za-z]+)/g)].map((match) => match[1]);
    expect(Object.keys(route.params?.shape ?? {}).sort()).toEqual(named.sort());
  });

  it("lets only operators and administrators change what is not their own", () => {
    const open = ALL.filter(({ route }) => route.method !== "GET" && ["public", "viewer"].includes(route.access));
    expect(open.map(({ title }) => title).sort()).toEqual([...OPEN_CHANGES].sort());
  });

  it("is public only where nothing can be learnt", () => {
    const open = ALL.filter(({ route }) => route.access === "public").map(({ title }) => title);
    expect(open.sort()).toEqual(
      [
        ...["meta.apiPage", "meta.apiPageStyle", "meta.health", "meta.openApi", "meta.readiness", "meta.version"],
        ...[
          "sessions.finishOidc",
          "sessions.listLoginWays",
          "sessions.login",
          "sessions.loginWithLink",
          "sessions.startOidc",
        ],
      ].sort(),
    );
  });

  it.each(ALL)("$title names errors that exist, each once, and says what it does", ({ route }) => {
    const codes = [...COMMON_ERRORS, ...route.errors];
    for (const code of codes) expect(ERRORS).toHaveProperty(code);
    expect(new Set(route.errors).size).toBe(route.errors.length);
    expect(route.summary).toMatch(/^[A-Z0-9].*[.]$/u);
  });

  it.each(ALL)("$title has a body exactly where its method and status allow one", ({ route }) => {
    if (route.method === "GET" || route.method === "DELETE") expect(route.body).toBeUndefined();
    const isBodiless = route.success === 204 || route.success === 302 || route.delivery !== undefined;
    expect(route.response === null).toBe(isBodiless);
  });

  it.each(ALL)("$title can be described in OpenAPI", ({ route }) => {
    const inputs = [route.params, route.query, route.body].filter((schema) => schema !== undefined);
    const described = inputs.map((schema) => z.toJSONSchema(schema, { io: "input" }));
    if (route.response !== null) described.push(z.toJSONSchema(route.response));
    expect(described.filter((schema) => Object.keys(schema).length <= 1)).toEqual([]);
  });

  it("refuses query parameters that it does not know", () => {
    const { query } = ROUTES.clusters.listClusters;
    expect(query.safeParse({ onlyReady: "true", phase: "Running", limit: "5" }).data).toMatchObject({
      onlyReady: true,
      phase: ["Running"],
      limit: 5,
      sort: "name",
    });
    for (const bad of [{ only: "x" }, { limit: "501" }, { limit: "0" }, { phase: "Fine" }, { onlyReady: "yes" }]) {
      expect(query.safeParse(bad).success).toBe(false);
    }
  });
});

describe("buildPath", () => {
  it("fills in and escapes parameters and query", () => {
    const path = buildPath(ROUTES.clusterDetails.changeNode, {
      params: { name: "a", node: "n/1", action: "drain" },
      query: { reason: "so & so", skip: undefined, label: ["a", "b"] },
    });
    expect(path).toBe("/api/v1/clusters/a/nodes/n%2F1/drain?reason=so%20%26%20so&label=a&label=b");
    expect(buildPath(ROUTES.meta.version, {})).toBe("/api/v1/version");
  });

  it("is typed by the path", () => {
    expectTypeOf<PathParameter<"/a/:name/b/:id">>().toEqualTypeOf<"name" | "id">();
    expectTypeOf<PathParameter<"/a">>().toEqualTypeOf<never>();
    // @ts-expect-error a parameter is missing
    expect(buildPath(ROUTES.clusters.getCluster, { params: {} })).toContain("undefined");
  });
});

describe("handlers", () => {
  it("are typed by their route, and a missing one does not compile", () => {
    type Request = RouteRequest<typeof ROUTES.clusterDetails.getRevision>;
    expectTypeOf<Request["params"]>().toEqualTypeOf<{ name: string; generation: number }>();
    expectTypeOf<RouteRequest<typeof ROUTES.clusters.declareCluster>["body"]>().toEqualTypeOf<unknown>();
    const handlers = {
      health: () => ({ status: "alive" as const }),
      readiness: async () => ({ status: "ready" as const }),
      version: () => ({ name: "drover" as const, version: "1" }),
      openApi: () => ({ openapi: "3.1.0" }),
      apiPage: () => undefined,
      apiPageStyle: () => undefined,
      metrics: () => undefined,
      supportBundle: () => undefined,
    } satisfies Handlers<typeof ROUTES.meta>;
    const { health: _, ...fewer } = handlers;
    // @ts-expect-error the handler of health is missing
    const missing: Handlers<typeof ROUTES.meta> = fewer;
    expect(Object.keys(missing)).not.toContain("health");
  });
});
