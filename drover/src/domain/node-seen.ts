/** How much of something a node has, and how much of it is used where that is known. Types, so that they count as JSON. */
export type Amount = {
  readonly capacity: number;
  readonly used: number | null;
};

/** A node as it was seen: CPU in cores, memory in bytes. */
export type NodeSeen = {
  readonly name: string;
  readonly status: "Ready" | "NotReady" | "Cordoned" | "Drained" | "Unknown";
  readonly roles: readonly string[];
  readonly version: string | null;
  readonly address: string | null;
  readonly cpu: Amount;
  readonly memory: Amount;
  readonly pods: Amount;
};
