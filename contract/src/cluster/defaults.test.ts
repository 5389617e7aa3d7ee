import { describe, expect, it } from "vitest";
import { GOOD } from "../../test/corpus/index.ts";
import { applyDefaults } from "./apply-defaults.ts";
import { DEFAULTS } from "./defaults.ts";
import { annotatedSchema, type SchemaNode } from "./json-schema.ts";
import { type ClusterInput, cluster } from "./schema.ts";

function schemaDefaults(node: SchemaNode, path: string): [string, unknown][] {
  const own: [string, unknown][] = node.default === undefined ? [] : [[path, node.default]];
  const items = node.items === undefined ? [] : schemaDefaults(node.items, `${path}[]`);
  const fields = Object.entries(node.properties ?? {}).flatMap(([name, child]) =>
    schemaDefaults(child, path === "" ? name : `${path}.${name}`),
  );
  return [...own, ...items, ...fields];
}

const documents = GOOD.map(({ title, document }) => {
  const { status: _, ...input } = document as ClusterInput;
  return { title, input: input as ClusterInput };
});

describe("the table of defaults", () => {
  it("says the same as the schema, path by path", () => {
    const table = Object.entries(DEFAULTS).filter(([, entry]) => !("providers" in entry));
    const expected = table.map(([path, { value }]) => [path, value]);
    expect(schemaDefaults(annotatedSchema(), "").sort()).toEqual(expected.sort());
  });

  it("gives a reason for each, and lists an object before its fields", () => {
    const paths = Object.keys(DEFAULTS);
    for (const [index, path] of paths.entries()) {
      expect(DEFAULTS[path as keyof typeof DEFAULTS].reason).toMatch(/^\S.{10,}[.]$/u);
      const children = paths.filter((other) => other.startsWith(`${path}.`));
      for (const child of children) expect(paths.indexOf(child)).toBeGreaterThan(index);
    }
  });
});

describe("applyDefaults", () => {
  it.each(documents)("fills in $title as the schema does, once and for all", ({ input }) => {
    const before = JSON.stringify(input);
    const filled = applyDefaults(input);
    expect(JSON.stringify(input)).toBe(before);
    expect(cluster.parse(filled)).toEqual(filled);
    expect(applyDefaults(filled)).toEqual(filled);
  });

  it("fills in the block of the provider, and no other", () => {
    const spec = (provider: ClusterInput["spec"]["provider"]) =>
      applyDefaults({ apiVersion: "drover.dev/v1alpha1", kind: "Cluster", metadata: { name: "a" }, spec: { provider } })
        .spec;
    expect(spec("kind").kind).toEqual({ controlPlanes: 1, workers: 0 });
    expect(spec("kind").k3d).toBeUndefined();
    expect(spec("kind").networking?.apiServer).toEqual({ address: "127.0.0.1" });
    expect(spec("simulated").simulated?.latency).toEqual({ minimumMs: 50, maximumMs: 400 });
    expect(spec("imported").networking).toBeUndefined();
  });

  it("never replaces what is given, not even false, zero or an empty text", () => {
    const filled = applyDefaults({
      apiVersion: "drover.dev/v1alpha1",
      kind: "Cluster",
      metadata: { name: "a" },
      spec: { provider: "simulated", simulated: { workers: 0, seed: 0 }, integrations: { git: { enabled: false } } },
    });
    expect(filled.spec.simulated).toMatchObject({ workers: 0, seed: 0 });
    expect(filled.spec.integrations?.git?.enabled).toBe(false);
  });
});
