import { once } from "node:events";
import { networkInterfaces } from "node:os";
import { Worker } from "node:worker_threads";

export interface Balancer {
  readonly host: string;
  readonly port: number;
  close(): Promise<void>;
}

/** An address that stays, in front of the API servers of these machines: whichever takes the connection answers. */
export async function balance(addresses: readonly string[]): Promise<Balancer> {
  const host = ownAddressBeside(addresses[0] ?? "");
  const thread = new Worker(new URL("./balancer-thread.mjs", import.meta.url), { workerData: { host, addresses } });
  const [port] = (await once(thread, "message")) as [number];
  return {
    ...{ host, port },
    close: async () => {
      await thread.terminate();
    },
  };
}

/** Where this host is in the network of a machine. */
function ownAddressBeside(address: string): string {
  const network = address.slice(0, address.lastIndexOf(".") + 1);
  const own = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .find((one) => one.address.startsWith(network));
  if (own === undefined) throw new Error(`This host has no address in ${network}0/24.`);
  return own.address;
}
