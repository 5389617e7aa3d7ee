import { readdirSync, readFileSync } from "node:fs";
import { type ClusterSpec, validateCluster } from "@drover/contract";
import { expect, it } from "vitest";
import { SECRET_FIELDS, secretNamesIn } from "./secret-names.ts";

it("finds every secret that a spec names, each once", () => {
  const credential = { name: "node-key", key: "id_ed25519" };
  const spec = {
    provider: "ssh",
    ssh: {
      access: { user: "root", credential, sudo: { credential: { name: "sudo" } } },
      registryMirrors: [{ host: "a" }, { host: "b", credential: { name: "mirror" } }],
      nodes: [{ name: "not-a-secret", credential }],
    },
  } as unknown as ClusterSpec;
  expect([...secretNamesIn(spec)]).toEqual(["node-key", "sudo", "mirror"]);
  const document = { apiVersion: "drover.dev/v1alpha1", kind: "Cluster", metadata: { name: "any" } };
  const imported = { provider: "imported", imported: { kubeconfig: { name: "prod", key: "kubeconfig" } } };
  const validation = validateCluster({ ...document, spec: imported });
  expect(validation.ok && [...secretNamesIn(validation.cluster.spec)]).toEqual(["prod"]);
});

it("knows every field of the schema that names one", () => {
  const folder = new URL("../../../contract/src/cluster/", import.meta.url);
  const fields = readdirSync(folder)
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) => [
      ...readFileSync(new URL(name, folder), "utf8").matchAll(/(\w+): describe\(\s*secretReference/g),
    ])
    .map(([, field]) => field);
  expect([...new Set(fields)].sort()).toEqual([...SECRET_FIELDS].sort());
});
