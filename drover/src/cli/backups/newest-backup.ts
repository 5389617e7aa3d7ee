import { backupRoutes } from "@drover/contract";
import type { Session } from "../session.ts";
import { UsageError } from "../usage-error.ts";

export async function newestBackup({ client }: Session, name: string): Promise<string> {
  const { items } = await client.call(backupRoutes.listBackups, { params: { name } });
  const [newest] = items;
  if (newest !== undefined) return newest.id;
  throw new UsageError(`The cluster ${name} has no backup yet: take one with \`drover backup cluster ${name}\`.`);
}
