import type { ApiClient } from "../client/api-client.ts";
import type { Shown } from "../render/output.ts";

export interface Filter {
  readonly selector: string | undefined;
  /** The words behind the kind: names, or the cluster whose things are meant. */
  readonly names: readonly string[];
  /** At most so many. */
  readonly limit: number | undefined;
  /** Of clusters: only those that can be used now. */
  readonly ready?: boolean | undefined;
}

/** A kind of thing that `drover get` lists. */
export interface Resource<T> extends Shown<T> {
  /** What it is called on the command line, the plural first. */
  readonly words: readonly string[];
  list(client: ApiClient, filter: Filter): Promise<readonly T[]>;
  /** For `--watch`: what became of one cluster's thing; without it the kind cannot be watched. */
  watch?(client: ApiClient, cluster: string, filter: Filter): Promise<readonly T[]>;
  /** The cluster that a thing belongs to. */
  clusterOf?(item: T): string;
}

/** Things whose type only their own file knows: methods, unlike properties, let each stand for this. */
export type AnyResource = Resource<unknown>;

export const now = (): number => Date.now();

/** Only those that were named, in that order; all when none was. */
export function pickNamed<T>(items: readonly T[], names: readonly string[], nameOf: (item: T) => string): readonly T[] {
  return names.length === 0 ? items : items.filter((item) => names.includes(nameOf(item)));
}
