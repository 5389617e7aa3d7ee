import { DroverError } from "@drover/contract";
import type { StepContext } from "../../../ports/step.ts";
import { openSource } from "../artifact-source.ts";
import { type Artifact, type Artifacts, openWithLists } from "../artifacts.ts";
import type { SshHost } from "../host.ts";

/** Processors, as machines and as k3s's releases call them. */
const PROCESSORS: readonly { readonly machine: RegExp; readonly images: string; readonly program: string }[] = [
  { machine: /^(x86_64|amd64)$/, images: "amd64", program: "k3s" },
  { machine: /^(aarch64|arm64)$/, images: "arm64", program: "k3s-arm64" },
  { machine: /^armv[78]/, images: "arm", program: "k3s-armhf" },
  { machine: /^s390x$/, images: "s390x", program: "k3s-s390x" },
];
const ARCHIVES = ["tar.zst", "tar.gz", "tar"];

/** What a machine needs of one release. */
export interface K3sMaterials {
  readonly program: Artifact;
  readonly images: Artifact;
}

/** The files of one release of k3s, as its release page has them, in a folder of the artifacts. */
export class K3sRelease {
  readonly artifacts: Artifacts;
  readonly #folder: string;
  readonly #processors: readonly string[];

  constructor(artifacts: Artifacts, folder: string, processors: readonly string[]) {
    this.artifacts = artifacts;
    this.#folder = folder;
    this.#processors = processors;
  }

  /** For a machine that calls its processor so. */
  materialsFor(machine: string): K3sMaterials {
    const processor = PROCESSORS.find((one) => one.machine.test(machine));
    if (processor === undefined) throw new DroverError("artifact-missing", `k3s has no release for ${machine}.`);
    return this.#materials(processor);
  }

  /** For all processors that the folder is for. */
  all(): readonly Artifact[] {
    return PROCESSORS.filter(({ images }) => this.#processors.includes(images)).flatMap((processor) => {
      const { program, images } = this.#materials(processor);
      return [program, images];
    });
  }

  #materials({ images, program }: (typeof PROCESSORS)[number]): K3sMaterials {
    const archives = ARCHIVES.map((ending) => `${this.#folder}/k3s-airgap-images-${images}.${ending}`);
    const archive = archives.map((path) => this.artifacts.find(path)).find((found) => found !== null);
    return {
      program: this.artifacts.require(`${this.#folder}/${program}`),
      images: archive ?? this.artifacts.require(archives[0] as string),
    };
  }
}

/** The release `v1.34.4+k3s1` lies in a folder of that name, or with a dash, as in the tags of images. */
export async function openK3sRelease(host: SshHost, context: StepContext, version: string): Promise<K3sRelease> {
  const source = await openSource(host, context);
  for (const folder of [version, version.replace("+", "-")]) {
    const found = await Promise.all(
      PROCESSORS.map(async ({ images }) => ({ images, text: await source.find(`${folder}/sha256sum-${images}.txt`) })),
    );
    const lists = found.flatMap(({ images, text }) => (text === null ? [] : [{ images, text }]));
    if (lists.length === 0) continue;
    const text = lists.map((list) => list.text).join("\n");
    const artifacts = await openWithLists(context, source, new Map([[folder, text]]));
    const processors = lists.map(({ images }) => images);
    return new K3sRelease(artifacts, folder, processors);
  }
  throw new DroverError(
    "artifact-missing",
    `${source.place} has no folder ${version} with the files of that release of k3s and their checksums (sha256sum-amd64.txt).`,
    { details: { path: version } },
  );
}
