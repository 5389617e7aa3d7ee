import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pino } from "pino";
import type { Options } from "../config/options.ts";
import { showOptions } from "../config/show-options.ts";
import { buildServer } from "../http/server.ts";
import { openLocalAccess } from "./local-access.ts";
import { locateWeb } from "./locate-web.ts";
import { listAllowedHosts, makeAccess } from "./make-access.ts";
import { makeApp } from "./make-app.ts";
import { openStoreFor } from "./open-store-for.ts";
import { leaveRunFile } from "./run-file.ts";
import { startBatches } from "./start-batches.ts";
import { startUpkeep } from "./start-upkeep.ts";
import { waitForStop } from "./wait-for-stop.ts";
import { startWorker } from "./worker.ts";

export interface Running {
  /** Where a browser finds it, ending in a slash. */
  readonly url: string;
  /** Whether there is a web page under that address. */
  readonly hasPage: boolean;
  /** Signs in an administrator, once; null when somebody can sign in without it. */
  readonly loginLink: string | null;
  stop(): Promise<void>;
}

/** Starts everything that `drover up` is, or all but the worker; what was opened before a failure is closed again. */
export async function startUp(options: Options, version: string, { works = true } = {}): Promise<Running> {
  const log = pino({ level: options.logLevel, base: null }, pino.destination(2));
  const store = await openStoreFor(options);
  const webDir = locateWeb();
  const { listenHost, listenPort } = options;
  const ready = () => store.upkeep.checkHealth();
  const app = makeApp(options, store);
  const [access, allowedHosts] = [makeAccess(options), listAllowedHosts(options)];
  const server = await buildServer({
    ...{ app, access, log, version, listenHost, allowedHosts, webDir, ready },
    options: showOptions(options),
    // A SQLite file is on this machine: where it cannot be read, neither could a snapshot beside it.
    snapshotFile: options.store.kind === "postgres" ? join(options.dataDir, "snapshot.json") : undefined,
  });
  const worker = works ? startWorker(options, store, log, version) : null;
  const batches = startBatches(app, log);
  const upkeep = startUpkeep(store.upkeep, options, log);
  const stop = async () => {
    await server.close();
    await batches.stop();
    await upkeep.stop();
    await worker?.stop();
    await store.close();
  };
  try {
    // Fastify would tell the log where it listens, in a text that varies; the start message tells people.
    server.log.level = "warn";
    await server.listen({ host: listenHost, port: listenPort });
    server.log.level = options.logLevel;
    const url = describeAddress(server.server.address() as AddressInfo);
    const local = await openLocalAccess(store.access, options.dataDir, url);
    return {
      ...{ url, hasPage: webDir !== undefined, loginLink: local.loginLink },
      stop: async () => {
        // Whoever cannot reach the store any more can stop all the same; the next start takes the token away.
        await local.close().catch((error: unknown) => log.warn({ err: error }, "could not revoke the local token"));
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The handler of `drover up`. */
export async function runUp(options: Options, version: string, write: (text: string) => void): Promise<number> {
  return await runUntilStopped(options, version, write, true);
}

/** The handler of `drover server`: jobs wait until a worker comes. */
export async function runServer(options: Options, version: string, write: (text: string) => void): Promise<number> {
  return await runUntilStopped(options, version, write, false);
}

/** Starts, says where to look, and stops when it is asked to. */
async function runUntilStopped(options: Options, version: string, write: (text: string) => void, works: boolean) {
  const stopped = waitForStop();
  const running = await startUp(options, version, { works });
  const removeRunFile = leaveRunFile(options.dataDir, { url: running.url, version });
  write(describeStart(running, options, version));
  await stopped;
  write("Stopping …\n");
  await running.stop();
  removeRunFile();
  return 0;
}

function describeStart({ url, hasPage, loginLink }: Running, options: Options, version: string): string {
  const rows = [
    ["Web page", hasPage ? url : "not built; `npm start` in a clone builds it"],
    ...(loginLink === null ? [] : [["Sign in", `${loginLink}  (once, within 15 minutes)`]]),
    ["API", `${url}api/v1/`],
    ["Data", options.dataDir],
    ["Stop", "Ctrl+C"],
  ];
  return `Drover ${version} is running.\n\n${rows.map(([name = "", value]) => `  ${name.padEnd(10)}${value}\n`).join("")}\n`;
}

/** An address that one can open: a server on all addresses is reached on loopback. */
function describeAddress({ address, port, family }: AddressInfo): string {
  const host = { "0.0.0.0": "127.0.0.1", "::": "[::1]" }[address] ?? (family === "IPv6" ? `[${address}]` : address);
  return `http://${host}:${port}/`;
}
