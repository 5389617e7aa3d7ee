import type { LabelSelector } from "../../domain/labels.ts";
import type { MachinePlace } from "../../ports/store/index.ts";
import type { App } from "../app.ts";
import { fleetPages } from "../fleet-pages.ts";

/** The node that a machine is, by the document of a cluster. */
export interface MachineUser {
  readonly cluster: string;
  readonly node: string;
}

/** Who uses the machine at a place; null when nobody does. */
export type FindUser = (place: MachinePlace) => MachineUser | null;

/** Read once for any number of machines: of the clusters that the scopes meet, those that are made of machines. */
export async function findMachineUsers(app: App, scopes: readonly LabelSelector[]): Promise<FindUser> {
  const users = new Map<string, MachineUser>();
  for await (const page of fleetPages(app, { scopes, providers: ["ssh"] })) {
    for (const { name, spec } of page) {
      for (const node of spec.ssh?.nodes ?? []) {
        const port = node.port ?? spec.ssh?.access.port ?? 22;
        users.set(keyOf({ address: node.address, port }), { cluster: name, node: node.name });
      }
    }
  }
  return (place) => users.get(keyOf(place)) ?? null;
}

const keyOf = ({ address, port }: MachinePlace): string => `${address} ${port}`;
