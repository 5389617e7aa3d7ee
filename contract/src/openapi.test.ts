import { describe, expect, it } from "vitest";
import { makeOpenApi } from "./openapi.ts";
import { ROUTES } from "./routes/index.ts";

const document = makeOpenApi() as {
  paths: Record<string, Record<string, { operationId: string; parameters: { name: string }[]; responses: object }>>;
  components: { schemas: Record<string, object> };
};

describe("the OpenAPI document", () => {
  it("has every route of the contract, and nothing else", () => {
    const described = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    const routes = Object.entries(ROUTES).flatMap(([resource, table]) =>
      Object.keys(table).map((name) => `${resource}.${name}`),
    );
    expect(described.sort()).toEqual(routes.sort());
  });

  it("refers only to what is there, and holds no note that only Drover reads", () => {
    const text = JSON.stringify(document);
    for (const [, name = ""] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      expect(document.components.schemas).toHaveProperty(name);
    }
    expect(text).not.toMatch(/"(cel|listKey|~standard)":/);
  });

  it("says what a request needs: parameters, headers, and the errors it can meet", () => {
    const edit = document.paths["/api/v1/clusters/{name}"]?.put;
    expect(edit?.parameters.map(({ name }) => name)).toEqual(["name", "reason", "consent", "dryRun", "If-Match"]);
    expect(Object.keys(edit?.responses ?? {})).toEqual(
      expect.arrayContaining(["202", "401", "403", "412", "422", "428"]),
    );
    const report = document.paths["/api/v1/jobs/{id}/report"]?.get;
    expect(report?.parameters.map(({ name }) => name)).toEqual(["id", "form"]);
  });

  it("describes a cluster once", () => {
    expect(document.paths["/api/v1/clusters"]?.get?.responses).toMatchObject({
      200: {
        content: {
          "application/json": {
            schema: { properties: { items: { items: { $ref: "#/components/schemas/Cluster" } } } },
          },
        },
      },
    });
    expect(JSON.stringify(document).length).toBeLessThan(500_000);
  });
});
