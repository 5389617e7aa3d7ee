import type { RemoteMachine } from "../../ports/machines.ts";
import type { StepContext } from "../../ports/step.ts";
import { succeeds } from "./etcd-on-machine.ts";
import { KUBECTL } from "./machine-paths.ts";

/** A request to an API server of this very machine, whoever else answers at the cluster's endpoint. */
export const askHere = (port: number, path: string): readonly [string, ...string[]] => [
  ...KUBECTL,
  ...["--server", `https://127.0.0.1:${port}`, "--request-timeout", "5s", "get", "--raw", path],
];

/** Whether the API server of this control plane is ready. */
export async function answersHere(machine: RemoteMachine, { signal }: StepContext, port = 6443): Promise<boolean> {
  return await succeeds(machine, askHere(port, "/readyz"), signal);
}
