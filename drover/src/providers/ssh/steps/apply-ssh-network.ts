import { type ClusterSpec, DroverError } from "@drover/contract";
import { parseAllDocuments, stringify } from "yaml";
import { isFields, textAt } from "../../../domain/json-fields.ts";
import { sha256 } from "../../../lib/sha256.ts";
import { runAll } from "../../../ports/run-all.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { type Artifact, type Artifacts, openArtifacts } from "../artifacts.ts";
import { isK3s, versionOf } from "../declared.ts";
import type { SshHost } from "../host.ts";
import { K3S_KUBECTL } from "../k3s/k3s-paths.ts";
import { openK3sRelease } from "../k3s/k3s-release.ts";
import { KUBECTL, STATE_FOLDER } from "../machine-paths.ts";
import { machineOf, putText, work } from "./on-machine.ts";

const BUILT_IN = "manifests/flannel.yml";
/** Which manifest was applied last. */
const APPLIED = `${STATE_FOLDER}/network-applied`;

/** The pod network, out of the artifacts: flannel, or the manifest that the spec names. */
export function applySshNetwork(host: SshHost): Step {
  return {
    name: "apply-ssh-network",
    precheck: async (context) => {
      const wanted = sha256(await readManifest(host, context));
      const [applied] = await runAll(await machineOf(context), [{ argv: ["cat", APPLIED] }], {
        signal: context.signal,
      });
      return applied?.stdout.trim() === wanted;
    },
    run: (context) =>
      context.change(context.step.host, "Apply the pod network", async () => {
        const manifest = await readManifest(host, context);
        const kubectl = isK3s(context.cluster.spec) ? K3S_KUBECTL : KUBECTL;
        await work(context, [...kubectl, "apply", "-f", "-"], { stdin: manifest });
        await putText(await machineOf(context), APPLIED, sha256(manifest));
      }),
  };
}

async function readManifest(host: SshHost, context: StepContext): Promise<string> {
  const { spec } = context.cluster;
  const artifacts = isK3s(spec)
    ? (await openK3sRelease(host, context, versionOf(spec))).artifacts
    : await openArtifacts(host, context);
  const manifest = networkManifest(artifacts, spec);
  const text = await artifacts.readText(manifest);
  return manifest.path === BUILT_IN ? setNetwork(text, spec.networking?.podSubnet ?? "10.244.0.0/16") : text;
}

export function networkManifest(artifacts: Artifacts, { networking }: ClusterSpec): Artifact {
  const cni = networking?.cni;
  const path = cni?.type === "manifest" ? (cni.manifest ?? "") : BUILT_IN;
  if (/^https?:/.test(path)) {
    throw new DroverError(
      "artifact-missing",
      `${path} is not fetched: put the manifest among the artifacts, and name its path.`,
    );
  }
  return artifacts.require(path);
}

/** flannel is told the network of the pods in its own configuration. */
export function setNetwork(manifest: string, podSubnet: string): string {
  return parseAllDocuments(manifest)
    .map((document) => {
      const value: unknown = document.toJS();
      if (!isFields(value) || value["kind"] !== "ConfigMap") return document.toString();
      const text = textAt(value, "data", "net-conf.json");
      if (text === null) return document.toString();
      const config = { ...(JSON.parse(text) as object), Network: podSubnet };
      return stringify({ ...value, data: { ...(value["data"] as object), "net-conf.json": JSON.stringify(config) } });
    })
    .map((text) => text.replace(/^---\n/, ""))
    .join("---\n");
}
