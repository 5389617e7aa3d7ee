import fc from "fast-check";
import type { Problem } from "../../contract/src/index.ts";
import { GOOD } from "../../contract/test/corpus/index.ts";

/** Values that mean something somewhere, to be put where they may not. */
const VALUES: readonly unknown[] = [
  ...["", "a", "A", "a b", "../x", "-x", "a-", "a--b", "a.-b", "é", "a\nb", "*", "main", "x".repeat(70)],
  ...["10.0.0.0/8", "10.96.0.0/16", "10.0.0.0/08", "fd00::/64", "0.0.0.0", "192.168.0.1", "01.2.3.4", "::1"],
  ...["1::2::3", "::1.2.3.4", "::ffff:1.2.3.4", "v1.34.4", "v1.35.0+k3s1", "1.2.3", "1e3", "5m", "2g", "TCP"],
  ...[0, 1, 2, 3, -1, 70_000, 1.5, true, false, [], {}, ["a"], { a: "b" }, { "a b": "c" }, { "--x": true }],
  ...["kind", "k3d", "worker", "controlplane", "manifest", "given", "node", "none", "password", "separate", "k3s"],
  ...[["worker"], ["controlplane", "etcd"], ["worker", "edge"], "kubeadm", "server:0", "0 1 * * *"],
  ...["https://x.y/z", "a:b@c", "/a/b", "/a//b", "/a/", "a/b", "a.b", `SHA256:${"a".repeat(43)}`],
];

interface Change {
  readonly position: number;
  /** Undefined: the field is removed. */
  readonly value: unknown;
}

const change: fc.Arbitrary<Change> = fc.record({
  position: fc.nat(10_000),
  value: fc.oneof({ weight: 7, arbitrary: fc.constantFrom(...VALUES) }, fc.constant(undefined)),
});

/** A good document of the corpus in which one or two values were replaced or removed. */
export const randomDocument: fc.Arbitrary<unknown> = fc
  .record({ base: fc.constantFrom(...GOOD), changes: fc.array(change, { minLength: 1, maxLength: 2 }) })
  .map(({ base, changes }) => {
    const { status: _, ...document } = JSON.parse(JSON.stringify(base.document)) as Record<string, unknown>;
    for (const { position, value } of changes) replace(document, position, value);
    return document;
  });

function replace(document: Record<string, unknown>, position: number, value: unknown): void {
  const places = placesIn(document.spec);
  const place = places[position % places.length];
  if (place === undefined) return;
  const { parent, key } = place;
  if (value !== undefined) parent[key] = JSON.parse(JSON.stringify(value));
  else if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
}

interface Place {
  readonly parent: Record<string, unknown>;
  readonly key: string;
}

function placesIn(value: unknown): Place[] {
  if (typeof value !== "object" || value === null) return [];
  const parent = value as Record<string, unknown>;
  return Object.keys(parent).flatMap((key) => [{ parent, key }, ...placesIn(parent[key])]);
}

/** Whether a problem belongs to the differences that docs/crd.md explains and that random changes can bring about. */
export function isExplained({ code }: Problem): boolean {
  return code === "node-address-duplicate";
}
