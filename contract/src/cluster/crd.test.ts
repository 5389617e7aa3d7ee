import { describe, expect, it } from "vitest";
import { clusterCustomResourceDefinition } from "./crd.ts";
import { clusterJsonSchema, type FormField, type SchemaNode, titleOf } from "./json-schema.ts";
import { KEYED_LISTS } from "./rules/check-list-keys.ts";

interface Visit {
  readonly path: string;
  readonly node: SchemaNode;
}

function visitAll(node: SchemaNode, path = ""): Visit[] {
  const fields = Object.entries(node.properties ?? {}).flatMap(([name, child]) =>
    visitAll(child, path === "" ? name : `${path}.${name}`),
  );
  const items = node.items === undefined ? [] : visitAll(node.items, `${path}[]`);
  const values = typeof node.additionalProperties === "object" ? visitAll(node.additionalProperties, `${path}{}`) : [];
  return [{ path, node }, ...fields, ...items, ...values];
}

interface Definition {
  spec: { versions: { schema: { openAPIV3Schema: SchemaNode }; subresources: object }[] };
}

const { versions } = (clusterCustomResourceDefinition() as unknown as Definition).spec;
const structural = visitAll(versions[0]?.schema.openAPIV3Schema ?? {});

describe("the structural schema", () => {
  it("has a type everywhere and no keyword that a structural schema forbids", () => {
    for (const { path, node } of structural) {
      expect(node.type, path).toMatch(/^(object|array|string|integer|boolean)$/);
      for (const keyword of ["const", "anyOf", "oneOf", "allOf", "not", "$ref", "propertyNames", "cel", "form"]) {
        expect(node, path).not.toHaveProperty(keyword);
      }
      expect(node.additionalProperties, path).not.toBe(false);
    }
  });

  it("bounds every text, list and map, so that the cost of rules can be estimated", () => {
    const inOurHands = structural.filter(({ path }) => path.startsWith("spec") || path.startsWith("status"));
    const unbounded = inOurHands.filter(({ node }) => {
      if (node.type === "string") return node.enum === undefined && node.maxLength === undefined;
      if (node.type === "array") return node.maxItems === undefined;
      return node.additionalProperties !== undefined && node.maxProperties === undefined;
    });
    expect(inOurHands.length).toBeGreaterThan(200);
    expect(unbounded.map(({ path }) => path)).toEqual([]);
  });

  it("keeps conditions as a map by type, and every list with a key as a map by that key", () => {
    const lists = structural.filter(({ node }) => node["x-kubernetes-list-type"] === "map");
    const found = lists.map(({ path, node }) => `${path} ${String(node["x-kubernetes-list-map-keys"])}`);
    const expected = [...KEYED_LISTS.map(({ path, key }) => `${path} ${key}`), "status.conditions type"];
    expect(found.sort()).toEqual(expected.sort());
  });

  it("has a status of its own", () => {
    expect(versions[0]?.subresources).toEqual({ status: {} });
  });
});

describe("the JSON Schema", () => {
  const all = visitAll(clusterJsonSchema());
  const fields = all.filter(({ path }) => path !== "" && !path.endsWith("[]") && !path.endsWith("{}"));

  it("names and describes every field, and tells forms how to show it", () => {
    for (const { path, node } of fields) {
      expect(node.title, path).toBeTypeOf("string");
      expect(node.description, path).toMatch(/^.*[.]$/u);
      const form = node["x-drover-form"] as FormField;
      expect(form.group, path).toMatch(/^[a-z0-9A-Z]+$/);
      expect(form.widget, path).toBeTypeOf("string");
    }
  });

  it("refuses unknown fields in every object and shows no notes of ours", () => {
    for (const { path, node } of all) {
      if (node.properties !== undefined) expect(node.additionalProperties, path).toBe(false);
      for (const note of ["cel", "form", "listKey"]) expect(node, path).not.toHaveProperty(note);
    }
  });

  it("orders fields as they are declared, and groups them by block", () => {
    const form = (path: string) => fields.find((field) => field.path === path)?.node["x-drover-form"];
    expect(form("spec.provider")).toMatchObject({ group: "cluster", order: 0, widget: "select" });
    expect(form("spec.ssh.access.credential")).toMatchObject({ group: "ssh", widget: "secret" });
    expect(form("spec.kind.workers")).toMatchObject({ group: "kind", order: 1, widget: "number", advanced: false });
    expect(form("spec.kind.kubeadmPatches")).toMatchObject({ widget: "textarea", advanced: true });
  });

  it.each([
    ["schedulableControlPlane", "Schedulable control plane"],
    ["k3sArgs", "k3s args"],
    ["podSubnet", "Pod subnet"],
    ["apiServer", "API server"],
    ["virtualIp", "Virtual IP"],
  ])("calls %s %j", (field, title) => {
    expect(titleOf(field)).toBe(title);
  });
});
