import type { HelperPoolOptions } from "../src/connectors/local/helper/helper-pool.ts";
import { LocalConnector, type LocalConnectorOptions } from "../src/connectors/local/local-connector.ts";
import { waitFor } from "./wait-for.ts";

/** What Node.js needs in order to run helpers out of the sources. */
export const SOURCE_OPTIONS = [
  "--conditions=drover-source",
  `--import=${import.meta.resolve("tsx")}`,
] as const satisfies HelperPoolOptions["nodeOptions"];

/** A connector that has one helper, which is up. */
export async function connectWithHelper(options: LocalConnectorOptions): Promise<LocalConnector> {
  const helpers = { size: 1, startFrom: 1, nodeOptions: SOURCE_OPTIONS, ...options.helpers };
  const connector = new LocalConnector({ ...options, helpers });
  await waitFor(async () => void (await findHelper(connector)));
  return connector;
}

/** The process that starts the next command. Throws as long as it is this one. */
export async function findHelper(connector: LocalConnector): Promise<number> {
  const { stdout } = await connector.run({ argv: ["/bin/sh", "-c", "echo $PPID"] });
  if (Number(stdout) === process.pid) throw new Error("There is no helper yet.");
  return Number(stdout);
}
