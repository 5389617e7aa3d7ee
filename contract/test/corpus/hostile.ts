import { kind, ssh } from "./bases.ts";
import { bad, type CorpusEntry, change, differs } from "./entry.ts";

const withText = (json: string): unknown => JSON.parse(JSON.stringify(kind).replace('"provider":"kind"', json));

function nested(depth: number): unknown {
  let value: unknown = "bottom";
  for (let level = 0; level < depth; level += 1) value = { a: value };
  return value;
}

export const HOSTILE: readonly CorpusEntry[] = [
  {
    title: "a prototype key",
    document: withText('"provider":"kind","__proto__":{"polluted":true}'),
    problems: [["forbidden-key", "spec.__proto__"]],
  },
  {
    title: "a constructor key",
    document: withText('"provider":"kind","constructor":{"prototype":{"polluted":true}}'),
    problems: [["forbidden-key", "spec.constructor"]],
  },
  {
    title: "a prototype key among labels",
    document: change(kind, { "spec.kind.nodeLabels": JSON.parse('{"__proto__":"x"}') }),
    problems: [["forbidden-key", "spec.kind.nodeLabels.__proto__"]],
  },
  {
    title: "a document nested 70 levels deep",
    document: change(kind, { "spec.kind.deep": nested(70) }),
    problems: [["document-too-deep", `spec.kind.deep${".a".repeat(61)}`]],
  },
  bad("a control character in a name", kind, { "metadata.name": "dev\u0000" }, ["control-character", "metadata.name"]),
  bad("an escape sequence in a fault", kind, { "spec.integrations.portainer.group": "\u001b[31mred" }, [
    "control-character",
    "spec.integrations.portainer.group",
  ]),
  differs(
    "text-hygiene",
    bad("a control character in an annotation", kind, { "metadata.annotations": { note: "a\u0007b" } }, [
      "control-character",
      "metadata.annotations.note",
    ]),
  ),
  differs(
    "text-hygiene",
    bad("half of a character", kind, { "spec.integrations.portainer.group": "a\ud800b" }, [
      "broken-text",
      "spec.integrations.portainer.group",
    ]),
  ),
  bad("a label key with a space", ssh, { "spec.ssh.nodes.0.labels": { "my key": "x" } }, [
    "bad-key",
    'spec.ssh.nodes[0].labels["my key"]',
  ]),
  bad("a feature gate that is an option", kind, { "spec.kind.featureGates": { "--x": true } }, [
    "bad-key",
    'spec.kind.featureGates["--x"]',
  ]),
  bad("a label value with a space", ssh, { "spec.ssh.nodes.0.labels": { team: "my team" } }, [
    "bad-format",
    "spec.ssh.nodes[0].labels.team",
  ]),
  bad("a label of the cluster with a space", kind, { "metadata.labels": { team: "my team" } }, [
    "bad-format",
    "metadata.labels.team",
  ]),
  bad("a label key of the cluster with two slashes", kind, { "metadata.labels": { "a/b/c": "x" } }, [
    "bad-key",
    'metadata.labels["a/b/c"]',
  ]),
  differs(
    "nothing-as-value",
    bad("nothing where a default would be", kind, { "spec.desiredState": null }, ["empty", "spec.desiredState"]),
  ),
  differs(
    "own-metadata",
    bad("metadata that Drover does not keep", kind, { "metadata.finalizers": ["example.com/x"] }, [
      "unknown-field",
      "metadata.finalizers",
    ]),
  ),
];
