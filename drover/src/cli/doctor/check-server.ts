import { metaRoutes, sessionRoutes, workerRoutes } from "@drover/contract";
import { type Finding, ok, problem, warning } from "../../domain/finding.ts";
import type { ApiClient } from "../client/api-client.ts";
import { ConnectionError, isApiError } from "../client/api-error.ts";
import type { FoundServer } from "../client/find-server.ts";

/** Whether the server answers, knows us, reaches its store, and has somebody to do the work. */
export async function checkServer(
  client: ApiClient,
  server: FoundServer,
  version: string,
): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  try {
    const answer = await client.call(metaRoutes.version, {});
    found.push(checkVersion(version, answer.version, server.url));
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    return [problem("Server", error.message, "drover up --detach")];
  }
  found.push(await checkStore(client));
  const access = await checkAccess(client, server);
  found.push(access);
  if (access.result === "ok") found.push(await checkWorkers(client));
  return found;
}

function checkVersion(own: string, other: string, url: string): Finding {
  if (own === other) return ok("Server", `${other} at ${url}`);
  return warning("Server", `${other} at ${url}, this command is ${own}`, "Use the same version of both.");
}

async function checkStore(client: ApiClient): Promise<Finding> {
  try {
    await client.call(metaRoutes.readiness, {});
    return ok("Store", "answers");
  } catch (error) {
    if (!isApiError(error, "store-unreachable")) throw error;
    return problem(
      "Store",
      error.message,
      "Start the database that the option `store` names; `drover config view` shows where it is set.",
    );
  }
}

async function checkAccess(client: ApiClient, { tokenSource }: FoundServer): Promise<Finding> {
  try {
    const { user } = await client.call(sessionRoutes.whoAmI, {});
    return ok("Access", `${user.name}, ${user.role} (token from ${tokenSource})`);
  } catch (error) {
    if (!isApiError(error, "unauthenticated")) throw error;
    return problem("Access", "The server does not know the token, or there is none.", "drover login");
  }
}

async function checkWorkers(client: ApiClient): Promise<Finding> {
  const { items } = await client.call(workerRoutes.listWorkers, {});
  const here = items.filter(({ state }) => state === "Working" || state === "Idle");
  if (here.length > 0) return ok("Workers", here.map(({ id, host }) => `${id} on ${host}`).join(", "));
  return problem("Workers", "Nobody does the work: jobs wait.", "drover worker");
}
