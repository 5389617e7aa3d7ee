/** What the other side is shown. */
export type HttpCredential = { readonly username: string; readonly password: string } | { readonly token: string };

/** Where artifacts lie that are not in a folder of this host. */
export interface ArtifactPlace {
  /** `mirror`: a tree of files below an address. `url`: one archive that holds the tree. */
  readonly source: "mirror" | "url";
  readonly location: string;
  /** SHA-256 by path; an archive goes by its own name. */
  readonly checksums: Readonly<Record<string, string>>;
  readonly credential: HttpCredential | null;
}

export interface DepotFile {
  /** Within the tree. */
  readonly path: string;
  readonly sha256: string;
}

export interface DepotRequest {
  readonly signal: AbortSignal;
  /** What was read once is not asked for again by requests of the same name, so that one piece of work sees one state. */
  readonly reader: string;
  readonly log: (text: string) => void;
}

/**
 * Files from elsewhere, kept on this host by their checksums. Rejects with `artifact-missing`, `checksum-mismatch`,
 * `artifacts-denied`, and with `artifacts-unreachable` once patience did not help.
 */
export interface ArtifactDepot {
  /** Whether the names of what lies there can be read without fetching all of it. */
  isReadable(place: ArtifactPlace, request: DepotRequest): Promise<boolean>;
  /** A text of moderate length, such as a list of checksums; null when it is not there. */
  readText(place: ArtifactPlace, path: string, request: DepotRequest): Promise<string | null>;
  /** Whether it is on this host already. */
  has(file: DepotFile): Promise<boolean>;
  /** Where it lies on this host, fetched if need be: its content is that of the checksum. */
  fetch(place: ArtifactPlace, file: DepotFile, request: DepotRequest): Promise<string>;
}

const nowhere = () => {
  throw new Error("This process fetches no artifacts; workers do.");
};

/** For processes that do nothing on any host. */
export const NO_DEPOT: ArtifactDepot = {
  isReadable: nowhere,
  readText: nowhere,
  has: nowhere,
  fetch: nowhere,
};
