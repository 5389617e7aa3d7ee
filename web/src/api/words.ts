import type { MachineState, Provider } from "@drover/contract";

export type { MachineState } from "@drover/contract";
export {
  FINISHED_JOB_STATES,
  JOB_KINDS,
  JOB_STATES,
  type JobKind,
  type JobState,
  MODIFIERS,
  type Modifier,
  PHASES,
  type Phase,
  type Provider,
} from "@drover/contract";

/** Written out, since the contract has them beside the schemas, which the page does not carry. */
const PROVIDERS: Readonly<Record<Provider, true>> = {
  kind: true,
  k3d: true,
  ssh: true,
  imported: true,
  simulated: true,
};
const MACHINE_STATES: Readonly<Record<MachineState, true>> = {
  Pending: true,
  Reachable: true,
  Unreachable: true,
  KeyChanged: true,
  Denied: true,
};
export const MACHINE_STATE_NAMES = Object.keys(MACHINE_STATES) as readonly MachineState[];

export const PROVIDER_NAMES = Object.keys(PROVIDERS) as readonly Provider[];
