import { type ClusterSpec, DroverError } from "@drover/contract";
import { runOrThrow } from "../../../ports/connector.ts";
import { runAll } from "../../../ports/run-all.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { type Artifact, type Artifacts, openArtifacts } from "../artifacts.ts";
import { baseName } from "../bill-of-materials.ts";
import { sshPart } from "../declared.ts";
import type { SshHost } from "../host.ts";
import { INCOMING_FOLDER, PROGRAM_FOLDER, STATE_FOLDER } from "../machine-paths.ts";
import { IMPORT_IMAGES } from "../scripts/import-images.ts";
import { machineOf, runScript, work } from "./on-machine.ts";

/** Images that the spec wants on every node before a pod asks for them: from the artifacts, or pulled. */
export function preloadSshImages(host: SshHost): Step {
  return {
    name: "preload-ssh-images",
    precheck: async (context) => (await findMissing(context)).length === 0,
    run: (context) => {
      const text = `Load images onto ${context.step.host}, as far as they are not there`;
      return context.change(context.step.host, text, () => preload(host, context));
    },
  };
}

async function findMissing(context: StepContext): Promise<readonly string[]> {
  const [listed] = await runAll(await machineOf(context), [{ argv: ["ctr", "-n", "k8s.io", "images", "ls", "-q"] }], {
    signal: context.signal,
    keepBytes: 1 << 20,
  });
  const there = new Set(listed?.stdout.split("\n"));
  return (sshPart(context.cluster.spec).preloadImages ?? []).filter((image) => !there.has(fullName(image)));
}

async function preload(host: SshHost, context: StepContext): Promise<void> {
  const artifacts = await openArtifacts(host, context);
  for (const { image, artifact } of archivesFor(artifacts, context.cluster.spec, await findMissing(context))) {
    if (artifact === null) await work(context, [`${PROGRAM_FOLDER}/crictl`, "pull", fullName(image)]);
    else await load(host, context, artifacts, artifact);
    context.log(`${image} is there.`);
  }
  const still = await findMissing(context);
  if (still.length > 0)
    throw new DroverError("artifact-missing", `The archives that were loaded do not hold ${still.join(", ")}.`);
}

/** The archive of each image; null for those that machines pull themselves, which they may not do offline. */
export function archivesFor(
  artifacts: Artifacts,
  spec: ClusterSpec,
  images: readonly string[],
): readonly { readonly image: string; readonly artifact: Artifact | null }[] {
  const offers = images.map((image) => ({ image, artifact: artifacts.find(`images/${archiveName(image)}`) }));
  const absent = offers.filter(({ artifact }) => artifact === null).map(({ image }) => image);
  if (sshPart(spec).artifacts?.offline !== true || absent.length === 0) return offers;
  const wanted = absent.map((image) => `images/${archiveName(image)}`).join(", ");
  throw new DroverError(
    "artifact-missing",
    `Not among the artifacts in ${artifacts.place}, and nothing may be fetched from elsewhere: ${wanted}.`,
    { details: { path: `images/${archiveName(absent[0] as string)}` } },
  );
}

async function load(host: SshHost, context: StepContext, artifacts: Artifacts, artifact: Artifact): Promise<void> {
  const machine = await machineOf(context);
  const to = `${INCOMING_FOLDER}/${baseName(artifact)}`;
  await runOrThrow(machine, { argv: ["mkdir", "-p", INCOMING_FOLDER] }, { signal: context.signal });
  const file = { from: await artifacts.at(artifact), to, sha256: artifact.sha256 };
  await host.spread.send(context, { machine, files: [file], atOnce: 1 });
  await runScript(context, IMPORT_IMAGES, STATE_FOLDER, artifact.sha256, to);
}

/** As containerd lists it: with its registry and a tag. */
export function fullName(image: string): string {
  const [first = "", ...rest] = image.split("/");
  const hasHost = rest.length > 0 && (/[.:]/.test(first) || first === "localhost");
  const path = hasHost ? image : `docker.io/${rest.length === 0 ? "library/" : ""}${image}`;
  const last = path.slice(path.lastIndexOf("/"));
  return /[:@]/.test(last) ? path : `${path}:latest`;
}

/** What an archive of an image is called among the artifacts: its name with everything unusual as `_`. */
export const archiveName = (image: string): string => `${fullName(image).replaceAll(/[^a-zA-Z0-9.-]/g, "_")}.tar`;
