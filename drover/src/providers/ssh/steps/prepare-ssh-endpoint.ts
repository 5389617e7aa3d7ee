import { DroverError } from "@drover/contract";
import { sha256 } from "../../../lib/sha256.ts";
import { runAll } from "../../../ports/run-all.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { type Artifact, type Artifacts, openArtifacts } from "../artifacts.ts";
import { baseName } from "../bill-of-materials.ts";
import {
  ENDPOINT_FOLDER,
  ENDPOINT_PROGRAMS,
  type EndpointFile,
  type EndpointProgram,
  endpointFiles,
  endpointPaths,
  endpointUnit,
} from "../endpoint.ts";
import type { SshHost } from "../host.ts";
import { INCOMING_FOLDER, STATE_FOLDER } from "../machine-paths.ts";
import { NOTE_AS_FOUND } from "../scripts/note-as-found.ts";
import { START_ENDPOINT, UNPACK_ENDPOINT } from "../scripts/unpack-endpoint.ts";
import { findEndpoint } from "./find-endpoint.ts";
import { machineOf, putText, runScript } from "./on-machine.ts";

const STARTED_WITH = `${STATE_FOLDER}/endpoint-started-with`;
const UNITS = ENDPOINT_PROGRAMS.map(endpointUnit);

/**
 * The address under which the API stays reachable: on every control plane HAProxy leads to all API servers, and keepalived
 * has one of the machines carry the address. Programs that the machine has are used; others are brought along, and lie in
 * a tree of their own.
 */
export function prepareSshEndpoint(host: SshHost): Step {
  return {
    name: "prepare-ssh-endpoint",
    precheck: async (context) => {
      const { files, missing } = await survey(host, context);
      return missing.length === 0 && (await runsWith(context, files));
    },
    run: (context) => {
      const text = `Set up HAProxy and keepalived on ${context.step.host}`;
      return context.change(context.step.host, text, () => prepare(host, context));
    },
  };
}

interface Brought {
  readonly program: EndpointProgram;
  readonly packages: readonly Artifact[];
  readonly stamp: string;
}

interface Survey {
  readonly artifacts: Artifacts;
  readonly files: readonly EndpointFile[];
  /** What has to be brought along, and is not there yet. */
  readonly missing: readonly Brought[];
}

async function survey(host: SshHost, context: StepContext): Promise<Survey> {
  const { cluster, step } = context;
  const places = await findEndpoint(context);
  const artifacts = await openArtifacts(host, context);
  const brought = ENDPOINT_PROGRAMS.filter((program) => places[program] === null).map((program) =>
    packagesOf(artifacts, program),
  );
  const stamps = await runAll(
    await machineOf(context),
    brought.map(({ program }) => ({ argv: ["cat", `${ENDPOINT_FOLDER}/${program}/stamp`] })),
    { signal: context.signal },
  );
  return {
    artifacts,
    files: endpointFiles(cluster.spec, step.host, places),
    missing: brought.filter(({ stamp }, at) => stamps[at]?.stdout !== stamp),
  };
}

/** Debian packages of a program, with everything they need. */
export function packagesOf(artifacts: Artifacts, program: EndpointProgram): Brought {
  const packages = artifacts.under(`debs/${program}`).filter(({ path }) => path.endsWith(".deb"));
  if (packages.length === 0) {
    throw new DroverError(
      "artifact-missing",
      `${program} is neither on the machine nor under debs/${program} among the artifacts in ${artifacts.place}.`,
      { details: { path: `debs/${program}` } },
    );
  }
  return { program, packages, stamp: sha256(packages.map((one) => one.sha256).join("\n")) };
}

const stampOf = (files: readonly EndpointFile[]): string => sha256(files.map(({ text }) => text).join("\0"));

async function runsWith(context: StepContext, files: readonly EndpointFile[]): Promise<boolean> {
  const [sums, stamp, active] = await runAll(
    await machineOf(context),
    [
      { argv: ["sha256sum", ...files.map(({ path }) => path)] },
      { argv: ["cat", STARTED_WITH] },
      { argv: ["systemctl", "is-active", ...UNITS] },
    ],
    { signal: context.signal },
  );
  const there = new Set(sums?.stdout.split("\n"));
  return (
    files.every(({ path, text }) => there.has(`${sha256(text)}  ${path}`)) &&
    stamp?.stdout === stampOf(files) &&
    active?.stdout.trim() === UNITS.map(() => "active").join("\n")
  );
}

async function prepare(host: SshHost, context: StepContext): Promise<void> {
  const { artifacts, files, missing } = await survey(host, context);
  const machine = await machineOf(context);
  const { signal } = context;
  await runScript(context, NOTE_AS_FOUND, STATE_FOLDER, ...UNITS.map((unit) => `unit:${unit}`), ...endpointPaths);
  const folders = [...new Set(files.map(({ path }) => path.slice(0, path.lastIndexOf("/"))))];
  await machine.run({ argv: ["mkdir", "-p", INCOMING_FOLDER, ...folders] }, { signal });
  for (const { program, packages, stamp } of missing) {
    const sent: string[] = [];
    for (const artifact of packages) {
      const to = `${INCOMING_FOLDER}/${baseName(artifact)}`;
      await machine.sendFile(await artifacts.at(artifact), to, { sha256: artifact.sha256, signal });
      sent.push(to);
    }
    await runScript(context, UNPACK_ENDPOINT, `${ENDPOINT_FOLDER}/${program}`, stamp, ...sent);
    context.log(`${program} is there.`);
  }
  for (const { path, text } of files) await putText(machine, path, text, 0o644);
  await runScript(context, START_ENDPOINT, stampOf(files), STARTED_WITH, ...UNITS);
}
