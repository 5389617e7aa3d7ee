/** Something that is not as it was declared, by what workers saw last. */
export interface Inconsistency {
  readonly id: string;
  /** Null when the cluster is known no more. */
  readonly cluster: string | null;
  readonly system: string;
  readonly verdict: "missing" | "orphaned" | "different" | "foreign" | "unknown";
  readonly message: string;
  /** Null when nothing can be done about it by a job. */
  readonly repair: { readonly summary: string; readonly destructive: boolean } | null;
}
