import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DroverError } from "@drover/contract";
import { readHttpCredential } from "../../containers/read-secret.ts";
import { mapBounded } from "../../lib/map-bounded.ts";
import type { ArtifactDepot, ArtifactPlace, DepotFile, DepotRequest } from "../../ports/artifact-depot.ts";
import type { StepContext } from "../../ports/step.ts";
import type { ChecksumMemory } from "./checksum-memory.ts";
import { sshPart } from "./declared.ts";
import type { SshHost } from "./host.ts";

/** Where artifacts come from. */
export interface ArtifactSource {
  /** For people. */
  readonly place: string;
  /** A text of which no checksum is known, such as a list of them; null when it is not there. */
  find(path: string): Promise<string | null>;
  readText(file: DepotFile): Promise<string>;
  at(file: DepotFile): Promise<string>;
  areHere(files: readonly DepotFile[]): Promise<boolean>;
  fetch(files: readonly DepotFile[]): Promise<void>;
}

/** Of one piece of work; the depot has a limit for all of them. */
const FETCHES_AT_ONCE = 4;

export async function openSource(host: SshHost, context: StepContext): Promise<ArtifactSource> {
  const { artifacts } = sshPart(context.cluster.spec);
  if (artifacts === undefined) {
    throw new DroverError("artifact-missing", "The spec does not say where binaries and images come from.");
  }
  if (artifacts.source === "directory") return fromFolder(artifacts.location, host.checksums, context.signal);
  const place = await placeOf(context);
  return fromElsewhere(host.parts.depot, place, requestOf(context), context);
}

/** Whether the names can be read without fetching everything first. */
export async function isReadable(host: SshHost, context: StepContext): Promise<boolean> {
  if (sshPart(context.cluster.spec).artifacts?.source !== "url") return true;
  return await host.parts.depot.isReadable(await placeOf(context), requestOf(context));
}

async function placeOf(context: StepContext): Promise<ArtifactPlace> {
  const { artifacts } = sshPart(context.cluster.spec);
  if (artifacts === undefined || artifacts.source === "directory") throw new Error("A folder is nowhere else.");
  const { source, location, checksums = {}, credential } = artifacts;
  return {
    ...{ source, location, checksums },
    credential: credential === undefined ? null : await readHttpCredential(context, credential),
  };
}

const requestOf = ({ signal, job, log }: StepContext): DepotRequest => ({
  ...{ signal, reader: `${job.id}/${job.attempt}` },
  log: (text) => log(text),
});

function fromFolder(folder: string, checksums: ChecksumMemory, signal: AbortSignal): ArtifactSource {
  const at = (path: string): string => join(folder, path);
  return {
    place: folder,
    find: (path) => readFile(at(path), "utf8").catch(() => null),
    readText: ({ path }) => readFile(at(path), "utf8"),
    at: async ({ path }) => at(path),
    areHere: async (files) => {
      await checksums.check(folder, files, signal);
      return true;
    },
    fetch: (files) => checksums.check(folder, files, signal),
  };
}

function fromElsewhere(
  depot: ArtifactDepot,
  place: ArtifactPlace,
  request: DepotRequest,
  { progress }: StepContext,
): ArtifactSource {
  const { origin, pathname } = new URL(place.location);
  const at = (file: DepotFile): Promise<string> => depot.fetch(place, file, request);
  return {
    place: `${origin}${pathname}`,
    find: (path) => depot.readText(place, path, request),
    readText: async (file) => await readFile(await at(file), "utf8"),
    at,
    areHere: async (files) => {
      const here = await mapBounded(files, FETCHES_AT_ONCE, (file) => depot.has(file));
      return here.every((is) => is);
    },
    fetch: (files) => fetchAll(depot, place, files, { request, progress }),
  };
}

/** The first that fails ends the others, and is told once they have ended. */
async function fetchAll(
  depot: ArtifactDepot,
  place: ArtifactPlace,
  files: readonly DepotFile[],
  { request, progress }: { readonly request: DepotRequest; readonly progress: StepContext["progress"] },
): Promise<void> {
  const stop = new AbortController();
  const signal = AbortSignal.any([request.signal, stop.signal]);
  const failures: unknown[] = [];
  let done = 0;
  await mapBounded(files, FETCHES_AT_ONCE, async (file) => {
    if (signal.aborted) return;
    try {
      await depot.fetch(place, file, { ...request, signal });
      done += 1;
      progress(Math.floor((100 * done) / files.length));
    } catch (error) {
      failures.push(error);
      stop.abort(error);
    }
  });
  request.signal.throwIfAborted();
  if (failures.length > 0) throw failures[0];
}
