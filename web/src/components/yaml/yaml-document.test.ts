import { describe, expect, it } from "vitest";
import { splitPath } from "./document-path.ts";
import { addItems, locateProblems, readDocument, setField } from "./yaml-document.ts";

const TEXT = `# who asked for it
apiVersion: drover.dev/v1alpha1
metadata:
  name: dev-1 # short
  x-unknown: stays
spec:
  provider: kind
  kind:
    workers: 2
`;

describe("one document for form and editor", () => {
  it("changes one field and keeps comments, order and unknown keys", () => {
    const changed = setField(TEXT, "metadata.name", "dev-2");
    expect(changed).toBe(TEXT.replace("dev-1", "dev-2"));
  });

  it("adds what is missing on the way to a field, and takes away what is left empty", () => {
    const added = setField(TEXT, "spec.maintenance.ttl", "8h");
    expect(readDocument(added).value).toMatchObject({ spec: { maintenance: { ttl: "8h" } } });
    expect(setField(added, "spec.maintenance.ttl", undefined)).toBe(TEXT);
    expect(setField(TEXT, "spec.no.such", undefined)).toBe(TEXT);
  });

  it("fills what stands empty on the way to a field, and leaves alone what is no map", () => {
    expect(readDocument(setField("metadata:\nspec: {}\n", "metadata.name", "a")).value).toMatchObject({
      metadata: { name: "a" },
    });
    expect(readDocument(setField("", "metadata.name", "a")).value).toEqual({ metadata: { name: "a" } });
    for (const text of ["hello\n", "metadata: hello\n"]) expect(setField(text, "metadata.name", "a")).toBe(text);
  });

  it("appends to a list, one line for each, and keeps the comments of those that are there", () => {
    const text = "nodes:\n  # by rack, the old one first\n  - name: a # keep\n    roles: [ worker ] # for now\n";
    const more = addItems(text, "nodes", [{ name: "b", roles: ["worker"] }]);
    expect(more).toBe(`${text}  - { name: b, roles: [ worker ] }\n`);
    expect(setField(more, "nodes[0].roles", ["controlplane", "etcd"])).toBe(
      more.replace("[ worker ] # for now", "[ controlplane, etcd ] # for now"),
    );
    expect(setField(more, "nodes[1]", undefined)).toBe(text);
    expect(addItems("nodes: []\n", "nodes", [{ name: "b" }])).toBe("nodes:\n  - { name: b }\n");
    expect(addItems("spec:\n", "spec.nodes", [{ name: "b" }])).toBe("spec:\n  nodes:\n    - { name: b }\n");
    for (const taken of ["spec: hello\n", "spec: { nodes: hello }\n"]) {
      expect(addItems(taken, "spec.nodes", [1])).toBe(taken);
    }
  });

  it("leaves a text alone that cannot be read, and says where it cannot", () => {
    const broken = "spec:\n  provider: [kind\n";
    expect(setField(broken, "metadata.name", "x")).toBe(broken);
    expect(readDocument(broken)).toMatchObject({ value: undefined, syntax: [{ line: 3 }] });
  });

  it("refuses to unfold aliases", () => {
    expect(readDocument("a: &x [1]\nb: *x\n").value).toBeUndefined();
  });
});

describe("places", () => {
  it("are those of the value, or of what is nearest around it", () => {
    const lines = locateProblems(TEXT, [
      { path: "spec.kind.workers", message: "" },
      { path: "spec.kind.controlPlanes", message: "" },
      { path: "spec.ssh.nodes[2].address", message: "" },
      { path: "", message: "" },
    ]).map(({ line }) => line);
    expect(lines).toEqual([9, 8, 6, 1]);
  });

  it("are read from paths as the server writes them", () => {
    expect(splitPath("spec.ssh.nodes[2].address")).toEqual(["spec", "ssh", "nodes", 2, "address"]);
    expect(splitPath('metadata.labels["a.b/c"]')).toEqual(["metadata", "labels", "a.b/c"]);
    expect(splitPath("")).toEqual([]);
  });
});
