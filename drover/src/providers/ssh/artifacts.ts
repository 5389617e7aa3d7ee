import { DroverError } from "@drover/contract";
import type { StepContext } from "../../ports/step.ts";
import { type ArtifactSource, openSource } from "./artifact-source.ts";
import { sshPart } from "./declared.ts";
import type { SshHost } from "./host.ts";

const SUMS = "SHA256SUMS";

export interface Artifact {
  /** Within the tree of the artifacts. */
  readonly path: string;
  readonly sha256: string;
}

/** Files to be brought to machines, each with its checksum, wherever they lie. */
export class Artifacts {
  readonly #source: ArtifactSource;
  readonly #sums: ReadonlyMap<string, string>;

  constructor(source: ArtifactSource, sums: ReadonlyMap<string, string>) {
    this.#source = source;
    this.#sums = sums;
  }

  /** Where they lie, for people. */
  get place(): string {
    return this.#source.place;
  }

  /** Its file on the worker's machine, fetched if need be. */
  async at(artifact: Artifact): Promise<string> {
    return await this.#source.at(artifact);
  }

  find(path: string): Artifact | null {
    const sha256 = this.#sums.get(path);
    return sha256 === undefined ? null : { path, sha256 };
  }

  require(path: string): Artifact {
    const artifact = this.find(path);
    if (artifact !== null) return artifact;
    throw new DroverError(
      "artifact-missing",
      `${path} is not among the artifacts in ${this.place}: its ${SUMS} does not name it.`,
      { details: { path } },
    );
  }

  /** All in a folder. */
  under(folder: string): readonly Artifact[] {
    return [...this.#sums]
      .filter(([path]) => path.startsWith(`${folder}/`))
      .map(([path, sha256]) => ({ path, sha256 }))
      .sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  async readText(artifact: Artifact): Promise<string> {
    return await this.#source.readText(artifact);
  }

  /** Whether all of these are on the worker's machine. Throws for those that are there and not what they should be. */
  async areHere(wanted: readonly Artifact[]): Promise<boolean> {
    return await this.#source.areHere(wanted);
  }

  async fetch(wanted: readonly Artifact[]): Promise<void> {
    await this.#source.fetch(wanted);
  }
}

/** The names and sums that lie with the artifacts, and those that the spec adds or pins. */
export async function openArtifacts(host: SshHost, context: StepContext): Promise<Artifacts> {
  const source = await openSource(host, context);
  const text = await source.find(SUMS);
  if (text === null) {
    throw new DroverError("artifact-missing", `${SUMS} of ${source.place} cannot be read on the worker's machine.`);
  }
  return new Artifacts(source, new Map([...parseSums(text), ...pinnedBy(context)]));
}

/** The same, where lists of checksums lie in folders of their own too. */
export async function openWithLists(
  context: StepContext,
  source: ArtifactSource,
  lists: ReadonlyMap<string, string>,
): Promise<Artifacts> {
  const sums = new Map(parseSums((await source.find(SUMS)) ?? ""));
  for (const [folder, text] of lists) for (const [path, sum] of parseSums(text)) sums.set(`${folder}/${path}`, sum);
  return new Artifacts(source, new Map([...sums, ...pinnedBy(context)]));
}

const pinnedBy = ({ cluster }: StepContext): readonly (readonly [string, string])[] =>
  Object.entries(sshPart(cluster.spec).artifacts?.checksums ?? {});

/** Lines as sha256sum writes them. */
function parseSums(text: string): readonly (readonly [string, string])[] {
  return text.split("\n").flatMap((line) => {
    const parts = /^([a-f0-9]{64}) [ *](?:\.\/)?(.+)$/.exec(line);
    return parts === null ? [] : [[parts[2] as string, parts[1] as string] as const];
  });
}
