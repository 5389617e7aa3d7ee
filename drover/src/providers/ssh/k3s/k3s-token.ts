import type { RemoteMachine } from "../../../ports/machines.ts";
import type { StepContext } from "../../../ports/step.ts";
import type { BackupRecord } from "../../../ports/store/index.ts";
import { fetchBackup, openKeys } from "../backup-files.ts";
import type { SshHost } from "../host.ts";
import { K3S_NODE_TOKEN } from "./k3s-paths.ts";

/** What others join a server by, as it keeps it. Nobody sees it from here on. */
export async function readNodeToken(context: StepContext, server: RemoteMachine): Promise<string> {
  return masked(context, Buffer.from(await server.get(K3S_NODE_TOKEN)).toString());
}

/** The token of the cluster when a backup was taken: it opens the authorities in the snapshot. */
export async function openTokenOf(host: SshHost, context: StepContext, backup: BackupRecord): Promise<string> {
  const folder = await fetchBackup(host, context, backup);
  return masked(context, Buffer.from(await openKeys(host, folder, backup)).toString());
}

/** The secret in a token, with or without what tells the authority before it. */
export const secretIn = (token: string): string => token.slice(token.lastIndexOf(":") + 1);

function masked(context: StepContext, text: string): string {
  const token = text.trim();
  for (const secret of [token, secretIn(token)]) if (secret !== "") context.mask(secret);
  return token;
}
