import type { Options } from "../config/options.ts";
import { restoreStore } from "../store/backup/restore.ts";
import { openStore } from "../store/open-store.ts";
import { loadMasterKey } from "../store/secrets/key-ring.ts";
import { openStoreFor, storeUrl } from "./open-store-for.ts";

type Write = (text: string) => void;

const actor = { type: "system", name: "drover store" } as const;

export async function runBackup(options: Options, file: string, write: Write): Promise<number> {
  const store = await openStoreFor(options);
  try {
    const { bytes, sha256 } = await store.upkeep.backUp(file);
    write(`Wrote ${file}: ${bytes} bytes, sha256 ${sha256}.\n`);
    write(`Keep the master key ${options.masterKeyFile} too, apart from it: the backup does not hold it.\n`);
    return 0;
  } finally {
    await store.close();
  }
}

export async function runRestore(options: Options, file: string, write: Write): Promise<number> {
  const { rows } = await restoreStore({ url: storeUrl(options.store), file });
  write(`Restored ${rows} rows.\n`);
  return await runCheck(options, write);
}

/** Exit code 3: the store can be read, but not everything in it is as it was written. */
export async function runCheck(options: Options, write: Write): Promise<number> {
  const store = await openStoreFor(options);
  try {
    const health = await store.upkeep.checkHealth();
    const { ok, checked, broken } = await store.audit.verifyAudit();
    write(`Store: ${health.database}, schema ${health.schema}, ${health.detail}.\n`);
    if (broken !== null) write(`Audit log: entry ${broken.seq} does not fit: ${broken.why}.\n`);
    else write(`Audit log: ${checked} entries, all fit together.\n`);
    return ok && health.ok ? 0 : 3;
  } finally {
    await store.close();
  }
}

/** Wraps every secret under a new master key. Both key files are needed until it is done; it can be run again. */
export async function runRotateKey(options: Options, newKeyFile: string, write: Write): Promise<number> {
  const older = loadMasterKey(options.masterKeyFile, { create: false });
  const current = loadMasterKey(newKeyFile, { create: true });
  const store = await openStore({ url: storeUrl(options.store), keys: { current, older: [older] } });
  try {
    const count = await store.secrets.rewrapSecrets(actor);
    write(`${count} secrets are now under the master key ${newKeyFile}.\n`);
    write(`Start Drover with that key from now on, and keep the old one as long as backups need it.\n`);
    return 0;
  } finally {
    await store.close();
  }
}
