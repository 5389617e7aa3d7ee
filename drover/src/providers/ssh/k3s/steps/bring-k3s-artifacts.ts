import { DroverError } from "@drover/contract";
import { runOrThrow } from "../../../../ports/connector.ts";
import { runAll } from "../../../../ports/run-all.ts";
import type { Step, StepContext } from "../../../../ports/step.ts";
import type { Artifact, Artifacts } from "../../artifacts.ts";
import type { SshHost } from "../../host.ts";
import { INCOMING_FOLDER, STATE_FOLDER, VERSION_NOTE } from "../../machine-paths.ts";
import { LIST_SUMS, NOTE_SUMS } from "../../scripts/list-sums.ts";
import { machineOf, runScript, versionOfStep } from "../../steps/on-machine.ts";
import { K3S_IMAGES, K3S_LINKS, K3S_PROGRAM } from "../k3s-paths.ts";
import { type K3sMaterials, openK3sRelease } from "../k3s-release.ts";
import { PLACE_K3S } from "../scripts/start-k3s.ts";

interface Placed {
  readonly artifact: Artifact;
  readonly to: string;
  /** It counts as brought wherever it lies of these. */
  readonly places: readonly string[];
}

interface Missing {
  readonly artifacts: Artifacts;
  readonly files: readonly Placed[];
}

/**
 * Program and images of one release onto a machine: only what is not there. With the input `aside` the program is left
 * beside the one that runs, for an upgrade to put it in its place. Nothing is fetched by the machine itself.
 */
export function bringK3sArtifacts(host: SshHost): Step {
  return {
    name: "bring-k3s-artifacts",
    precheck: async (context) => (await findMissing(host, context)).files.length === 0,
    run: (context) => {
      const text = `Bring k3s and its images to ${context.step.host}, as far as they are not there`;
      return context.change(
        context.step.host,
        text,
        async () => await bring(host, context, await findMissing(host, context)),
      );
    },
  };
}

/** Where the program of a release waits for its turn. */
export const asidePath = (version: string): string => `${INCOMING_FOLDER}/k3s-${version}`;

/** Archives of several releases lie beside each other until the upgrade is over. */
export const imagesPath = (version: string, { path }: Artifact): string =>
  `${K3S_IMAGES}/drover-${version}${path.slice(path.indexOf(".tar"))}`;

export async function k3sMaterials(
  host: SshHost,
  context: StepContext,
): Promise<{ readonly artifacts: Artifacts; readonly materials: K3sMaterials }> {
  const release = await openK3sRelease(host, context, versionOfStep(context));
  const { stdout } = await runOrThrow(await machineOf(context), { argv: ["uname", "-m"] }, { signal: context.signal });
  return { artifacts: release.artifacts, materials: release.materialsFor(stdout.trim()) };
}

async function findMissing(host: SshHost, context: StepContext): Promise<Missing> {
  const version = versionOfStep(context);
  const { artifacts, materials } = await k3sMaterials(host, context);
  const aside = context.step.input["aside"] === true;
  if (!aside && (await runsAnother(context, version))) return { artifacts, files: [] };
  const images = imagesPath(version, materials.images);
  const wanted: readonly Placed[] = [
    {
      artifact: materials.program,
      to: aside ? asidePath(version) : K3S_PROGRAM,
      places: aside ? [asidePath(version), K3S_PROGRAM] : [K3S_PROGRAM],
    },
    { artifact: materials.images, to: images, places: [images] },
  ];
  const paths = wanted.flatMap(({ places }) => places);
  const there = new Set((await runScript(context, LIST_SUMS, STATE_FOLDER, ...paths)).split("\n"));
  return {
    artifacts,
    files: wanted.filter(({ artifact, places }) => !places.some((path) => there.has(`${artifact.sha256}  ${path}`))),
  };
}

/** The program of a node that runs is changed by an upgrade, in its order, and by nothing else. */
async function runsAnother(context: StepContext, version: string): Promise<boolean> {
  const [note] = await runAll(await machineOf(context), [{ argv: ["cat", VERSION_NOTE] }], { signal: context.signal });
  return note?.exitCode === 0 && note.stdout.trim() !== version;
}

async function bring(host: SshHost, context: StepContext, { artifacts, files }: Missing): Promise<void> {
  const machine = await machineOf(context);
  const { signal } = context;
  await machine.run({ argv: ["mkdir", "-p", INCOMING_FOLDER, K3S_IMAGES] }, { signal });
  let done = 0;
  await host.spread.send(context, {
    machine,
    files: await Promise.all(
      files.map(async ({ artifact, to }) => ({
        ...{ from: await artifacts.at(artifact), to, sha256: artifact.sha256, mode: 0o755 },
      })),
    ),
    atOnce: 1,
    arrived: async ({ sha256, to }) => {
      await runScript(context, NOTE_SUMS, STATE_FOLDER, sha256, to);
      context.log(`${to} is there.`);
      done += 1;
      context.progress(Math.floor((100 * done) / files.length));
    },
  });
  if (files.some(({ to }) => to === K3S_PROGRAM)) {
    await runScript(context, PLACE_K3S, K3S_PROGRAM, K3S_PROGRAM, ...K3S_LINKS);
    await assertRuns(context);
  }
}

/** One for another processor would show only when the unit does not start. */
async function assertRuns(context: StepContext): Promise<void> {
  const said = await (await machineOf(context)).run({ argv: [K3S_PROGRAM, "--version"] }, { signal: context.signal });
  const version = versionOfStep(context);
  if (said.exitCode === 0 && said.stdout.includes(`${version} `)) return;
  const what = said.stdout.trim() || said.stderr.trim();
  throw new DroverError("step-failed", `k3s on ${context.step.host} is not ${version}; it says: ${what}`);
}
