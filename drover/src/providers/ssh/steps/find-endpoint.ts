import { DroverError } from "@drover/contract";
import type { StepContext } from "../../../ports/step.ts";
import { addressAmongNodes, nodeNamed, sshPart } from "../declared.ts";
import type { EndpointPlaces } from "../endpoint.ts";
import { FIND_ENDPOINT } from "../scripts/unpack-endpoint.ts";
import { runScript } from "./on-machine.ts";

/** Where the parts of an endpoint are on the machine of a step. */
export async function findEndpoint(context: StepContext): Promise<EndpointPlaces> {
  const { cluster, step } = context;
  const address = addressAmongNodes(nodeNamed(cluster.spec, step.host));
  const said = await runScript(context, FIND_ENDPOINT, address, sshPart(cluster.spec).endpoint.interface ?? "");
  const found = new Map(said.split("\n").map((line) => line.split(" ") as [string, string]));
  const card = found.get("card");
  if (card === undefined) {
    throw new DroverError(
      "step-failed",
      `No network card of ${step.host} has ${address}. Name the card in spec.ssh.endpoint.interface.`,
    );
  }
  return { haproxy: found.get("haproxy") ?? null, keepalived: found.get("keepalived") ?? null, card };
}
