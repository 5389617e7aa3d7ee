import type { Container, ContainerEngine } from "../ports/container-engine.ts";

/** In the file system of the node itself, so that it goes with the node. */
const PATH = "/etc/drover/mark.json";

/**
 * What is known of a cluster beside its containers, kept in its control planes. Without one, whoever made the nodes was
 * cut off, and nobody knows in the middle of what.
 */
export interface SuccessMark {
  /** `made`: the tool came to its end. `complete`: so did everything that follows. */
  readonly stage: "made" | "complete";
  /** The images that were loaded into the nodes. */
  readonly images: readonly string[];
}

/** Reads marks once: a cluster that is complete stays so until its nodes are gone. */
export class SuccessMarks {
  readonly #engine: ContainerEngine;
  /** By the id of the container; only those that are complete. */
  readonly #complete = new Map<string, SuccessMark>();

  constructor(engine: ContainerEngine) {
    this.#engine = engine;
  }

  /** The mark that any of these control planes has; null when none has one. */
  async read(controlPlanes: readonly Container[], signal: AbortSignal): Promise<SuccessMark | null> {
    for (const { id } of controlPlanes) {
      const mark = this.#complete.get(id) ?? (await this.#fetch(id, signal));
      if (mark !== null) return mark;
    }
    return null;
  }

  /** In all of them, so that the loss of one changes nothing. */
  async write(controlPlanes: readonly Container[], mark: SuccessMark, signal: AbortSignal): Promise<void> {
    for (const { id } of controlPlanes) {
      this.#complete.delete(id);
      await this.#engine.writeFile(id, PATH, JSON.stringify(mark), signal);
    }
  }

  /** All but those of these containers. */
  forgetOthers(ids: ReadonlySet<string>): void {
    for (const id of this.#complete.keys()) if (!ids.has(id)) this.#complete.delete(id);
  }

  async #fetch(container: string, signal: AbortSignal): Promise<SuccessMark | null> {
    const bytes = await this.#engine.readFile(container, PATH, signal);
    const mark = bytes === null ? null : parseMark(new TextDecoder().decode(bytes));
    if (mark?.stage === "complete") this.#complete.set(container, mark);
    return mark;
  }
}

/** A file that was cut off in the middle says nothing. */
function parseMark(text: string): SuccessMark | null {
  try {
    const { stage, images } = JSON.parse(text) as Partial<SuccessMark>;
    if (stage !== "made" && stage !== "complete") return null;
    return { stage, images: Array.isArray(images) ? images : [] };
  } catch {
    return null;
  }
}
