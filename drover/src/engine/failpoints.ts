/** Every place of the engine at which a test can end the process. A test compares this list with the code. */
export const ENGINE_FAILPOINTS = [
  /** The precheck has said no; nothing was done yet. */
  "engine.before-step-run",
  /** Done, but not yet looked at, and nobody knows. */
  "engine.after-step-run",
  /** Its log is stored; its end is not. */
  "engine.before-step-recorded",
  /** Its end is durable; nothing that needs it has begun. */
  "engine.after-step-recorded",
  "engine.before-journal-write",
  "engine.after-journal-write",
  "engine.before-log-write",
  "engine.after-log-write",
  "engine.before-undo",
  "engine.after-undo",
  /** The journal says how every step ended; nobody has heard of it. */
  "engine.before-outcome",
] as const;
