import { runAll } from "../../../ports/run-all.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { type Artifact, type Artifacts, openArtifacts } from "../artifacts.ts";
import { baseName, materialsFor, type PlacedFile, purposeOf } from "../bill-of-materials.ts";
import { nodeNamed, versionOf } from "../declared.ts";
import type { SshHost } from "../host.ts";
import { INCOMING_FOLDER, PLUGIN_FOLDER, STATE_FOLDER, VERSION_NOTE } from "../machine-paths.ts";
import { IMPORT_IMAGES, LIST_IMPORTED } from "../scripts/import-images.ts";
import { LIST_SUMS, NOTE_SUMS } from "../scripts/list-sums.ts";
import { NOTE_AS_FOUND } from "../scripts/note-as-found.ts";
import { machineOf, runScript } from "./on-machine.ts";

/** More only makes them wait for each other on the one connection. */
const FILES_AT_ONCE = 3;
const PROGRAM_MODE = 0o755;

interface Missing {
  readonly artifacts: Artifacts;
  readonly programs: readonly PlacedFile[];
  readonly images: readonly Artifact[];
}

/** Programs and images of one version onto a machine: only what is not there. Nothing is fetched by the machine itself. */
export function bringSshArtifacts(host: SshHost): Step {
  return {
    name: "bring-ssh-artifacts",
    precheck: async (context) => {
      const { programs, images } = await findMissing(host, context);
      return programs.length === 0 && images.length === 0;
    },
    run: (context) => {
      const text = `Bring programs and images to ${context.step.host}, as far as they are not there`;
      return context.change(
        context.step.host,
        text,
        async () => await bring(host, context, await findMissing(host, context)),
      );
    },
  };
}

/** Of an upgrade, images come long before the programs, one of which comes before the other. */
interface Wanted {
  readonly version: string;
  readonly programs: readonly string[] | "all";
}

function wantedBy({ step, cluster }: StepContext): Wanted {
  const { version, programs } = step.input as { version?: string; programs?: readonly string[] };
  return { version: version ?? versionOf(cluster.spec), programs: programs ?? "all" };
}

async function findMissing(host: SshHost, context: StepContext): Promise<Missing> {
  const { cluster, step } = context;
  const artifacts = await openArtifacts(host, context);
  const { version, programs: names } = wantedBy(context);
  const materials = materialsFor(artifacts, version, purposeOf(cluster.spec, nodeNamed(cluster.spec, step.host)));
  const chosen = names === "all" && (await runsAnother(context, version)) ? [] : names;
  const programs = materials.programs.filter(({ artifact }) => chosen === "all" || chosen.includes(baseName(artifact)));
  const [sums, imported] = await Promise.all([
    runScript(context, LIST_SUMS, STATE_FOLDER, ...programs.map(({ path }) => path)),
    runScript(context, LIST_IMPORTED, STATE_FOLDER),
  ]);
  const there = new Set(sums.split("\n"));
  const loaded = new Set(imported.split("\n"));
  return {
    artifacts,
    programs: programs.filter(({ artifact, path }) => !there.has(`${artifact.sha256}  ${path}`)),
    images: materials.images.filter(({ sha256 }) => !loaded.has(sha256)),
  };
}

/** Programs of a node that runs are changed by an upgrade, in its order, and by nothing else. */
async function runsAnother(context: StepContext, version: string): Promise<boolean> {
  const [note] = await runAll(await machineOf(context), [{ argv: ["cat", VERSION_NOTE] }], { signal: context.signal });
  return note?.exitCode === 0 && note.stdout.trim() !== version;
}

async function bring(host: SshHost, context: StepContext, { artifacts, programs, images }: Missing): Promise<void> {
  const machine = await machineOf(context);
  if (programs.length > 0) await runScript(context, NOTE_AS_FOUND, STATE_FOLDER, ...programs.map(({ path }) => path));
  await machine.run({ argv: ["mkdir", "-p", INCOMING_FOLDER, PLUGIN_FOLDER] }, { signal: context.signal });
  let done = 0;
  await host.spread.send(context, {
    machine,
    files: await Promise.all([
      ...images.map(async (image) => ({
        ...{ from: await artifacts.at(image), to: `${INCOMING_FOLDER}/${baseName(image)}`, sha256: image.sha256 },
        use: async (to: string) => await load(context, image, to),
      })),
      ...programs.map(async ({ artifact, path: to }) => ({
        ...{ from: await artifacts.at(artifact), to, sha256: artifact.sha256, mode: PROGRAM_MODE },
        use: async () => await note(context, artifact, to),
      })),
    ]),
    atOnce: FILES_AT_ONCE,
    arrived: async ({ to, use }) => {
      await use(to);
      done += 1;
      context.progress(Math.floor((100 * done) / (programs.length + images.length)));
    },
  });
}

async function note(context: StepContext, { sha256 }: Artifact, path: string): Promise<void> {
  await runScript(context, NOTE_SUMS, STATE_FOLDER, sha256, path);
  context.log(`${path} is there.`);
}

async function load(context: StepContext, image: Artifact, archive: string): Promise<void> {
  await runScript(context, IMPORT_IMAGES, STATE_FOLDER, image.sha256, archive);
  context.log(`The images of ${baseName(image)} are there.`);
}
