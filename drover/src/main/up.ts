import type { AddressInfo } from "node:net";
import { pino } from "pino";
import type { Options } from "../config/options.ts";
import { showOptions } from "../config/show-options.ts";
import { buildServer } from "../http/server.ts";
import { locateWeb } from "./locate-web.ts";
import { makeApp } from "./make-app.ts";
import { openStoreFor } from "./open-store-for.ts";
import { waitForStop } from "./wait-for-stop.ts";
import { startWorker } from "./worker.ts";

export interface Running {
  /** Where a browser finds it, ending in a slash. */
  readonly url: string;
  /** Whether there is a web page under that address. */
  readonly hasPage: boolean;
  stop(): Promise<void>;
}

/** Starts everything that `drover up` is; what was opened before a failure is closed again. */
export async function startUp(options: Options, version: string): Promise<Running> {
  const log = pino({ level: options.logLevel, base: null }, pino.destination(2));
  const store = await openStoreFor(options);
  const webDir = locateWeb();
  const { listenHost, listenPort, allowedHosts } = options;
  const ready = () => store.upkeep.checkHealth();
  const app = makeApp(options, store);
  const shown = showOptions(options, new Map());
  const server = await buildServer({ app, log, version, listenHost, allowedHosts, webDir, ready, options: shown });
  const worker = startWorker(options, store, log, version);
  const stop = async () => {
    await server.close();
    await worker.stop();
    await store.close();
  };
  try {
    // Fastify would tell the log where it listens, in a text that varies; the start message tells people.
    server.log.level = "warn";
    await server.listen({ host: listenHost, port: listenPort });
    server.log.level = options.logLevel;
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: describeAddress(server.server.address() as AddressInfo), hasPage: webDir !== undefined, stop };
}

/** The handler of `drover up`: starts, says where to look, and stops when it is asked to. */
export async function runUp(options: Options, version: string, write: (text: string) => void): Promise<number> {
  const stopped = waitForStop();
  const running = await startUp(options, version);
  write(describeStart(running, options, version));
  await stopped;
  write("Stopping …\n");
  await running.stop();
  return 0;
}

function describeStart({ url, hasPage }: Running, options: Options, version: string): string {
  const rows = [
    ["Web page", hasPage ? url : "not built; `npm start` in a clone builds it"],
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
