export * from "./addresses.ts";
export * from "./defaults.ts";
export type { CelRule, FieldNotes, FormHints, Widget } from "./field.ts";
export type { ExposedPort, Networking } from "./networking.ts";
export { durationMilliseconds, type SecretReference } from "./scalars.ts";
export * from "./schema.ts";
export { SIMULATED_EFFECTS, SIMULATED_OPERATIONS } from "./simulated.ts";
export { DISTRIBUTIONS, type Distribution, MAXIMUM_NODES, type SshSpec } from "./ssh.ts";
export { NODE_ROLES, type NodeRole, type SshNode } from "./ssh-nodes.ts";
