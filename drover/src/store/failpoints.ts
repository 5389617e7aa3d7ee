/** Every place of the store at which a test can end the process. A test compares this list with the code. */
export const STORE_FAILPOINTS = [
  /** The whole schema was written; nothing of it is durable. */
  "store.before-schema-committed",
  /** A write was made and is not durable. */
  "store.before-commit",
  /** A write is durable; whoever asked for it has not heard. */
  "store.after-commit",
] as const;
