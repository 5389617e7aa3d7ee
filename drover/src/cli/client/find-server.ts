import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ClientEnvironment } from "../../config/client-environment.ts";
import type { Options } from "../../config/options.ts";
import { UsageError } from "../usage-error.ts";
import { readLogin } from "./login-file.ts";

/** The Drover that commands talk to, and what they show it. */
export interface FoundServer {
  readonly url: string;
  readonly token: string | null;
  /** Where each was found, for `drover config view`. */
  readonly urlSource: string;
  readonly tokenSource: string;
}

interface OwnServer {
  readonly url?: unknown;
  readonly token?: unknown;
}

/**
 * Named by flag or variable, else the one on this machine, else that of the last login. A token is only ever shown to
 * the server it was made for, unless it was named together with the server.
 */
export function findServer(
  options: Pick<Options, "server" | "tokenFile" | "dataDir" | "listenPort">,
  { token, configDir }: Pick<ClientEnvironment, "token" | "configDir">,
): FoundServer {
  const ownFile = join(options.dataDir, "cli.json");
  const own = readOwnServer(ownFile);
  const login = readLogin(configDir);
  const [url, urlSource] =
    options.server !== null
      ? [options.server, "--server or DROVER_SERVER"]
      : own !== null
        ? [own.url, ownFile]
        : login.current !== null
          ? [login.current, login.file]
          : [`http://127.0.0.1:${options.listenPort}`, "default"];
  if (options.tokenFile !== null) {
    return { url, urlSource, token: readTokenFile(options.tokenFile), tokenSource: options.tokenFile };
  }
  if (token !== null) return { url, urlSource, token, tokenSource: "DROVER_TOKEN" };
  if (own !== null && own.url === url) return { url, urlSource, token: own.token, tokenSource: ownFile };
  const kept = login.tokens[url] ?? null;
  return { url, urlSource, token: kept, tokenSource: kept === null ? "none" : login.file };
}

/** What `drover up` leaves for the commands of the same user on the same machine. */
function readOwnServer(file: string): { readonly url: string; readonly token: string } | null {
  try {
    const { url, token } = JSON.parse(readFileSync(file, "utf8")) as OwnServer;
    if (typeof url !== "string" || typeof token !== "string" || !URL.canParse(url)) return null;
    return { url: new URL(url).origin, token };
  } catch {
    return null;
  }
}

function readTokenFile(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new UsageError(`The token file ${file} cannot be read (${(error as Error).message}). Name another one.`);
  }
}
