import { onTestFinished } from "vitest";
import { SshPool, type SshPoolOptions } from "../../src/connectors/ssh/ssh-pool.ts";
import { startSshd, whyNoSshd } from "./private-sshd.ts";
import { type ScriptedServer, type ScriptedServerOptions, startScriptedServer } from "./scripted-server.ts";
import type { SshServer } from "./ssh-server.ts";

/** Every server that there is here, by name. */
export const SERVERS: readonly (readonly [string, () => Promise<SshServer>])[] = [
  ["ssh2", startScriptedServer],
  ...(whyNoSshd() === null ? [["sshd", startSshd] as const] : []),
];

/** Ends with the test. */
export function openPool(options: SshPoolOptions = {}): SshPool {
  const pool = new SshPool({ graceMs: 500, ...options });
  onTestFinished(() => pool.close());
  return pool;
}

export async function openServer(start: () => Promise<SshServer>): Promise<SshServer> {
  const server = await start();
  onTestFinished(() => server.stop());
  return server;
}

export async function openScripted(options: ScriptedServerOptions = {}): Promise<ScriptedServer> {
  const server = await startScriptedServer(options);
  onTestFinished(() => server.stop());
  return server;
}
