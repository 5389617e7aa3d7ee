import { readdirSync } from "node:fs";
import { posix } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendProblem } from "./problem.ts";

const PAGE = "index.html";
/** The build puts a hash of the content into these names, so what a name stands for never changes. */
const HASHED = /^assets\//;
const FOREVER = "public, max-age=31536000, immutable";

/**
 * Serves the built web page: exactly the files that are there at the start, and the page itself for every other
 * address that a browser navigates to, since the page does its own routing.
 */
export async function serveWeb(app: FastifyInstance, folder: string): Promise<void> {
  const files = new Set(listFiles(folder));
  await app.register(fastifyStatic, { root: folder, serve: false, cacheControl: false });
  app.get("/*", (request, reply) => {
    const name = readName(request);
    const wanted = name !== undefined && files.has(name) ? name : undefined;
    if (wanted !== undefined) return sendFile(reply, wanted);
    if (isNavigation(request) && files.has(PAGE)) return sendFile(reply, PAGE);
    return sendProblem(request, reply, "route-not-found");
  });
}

function sendFile(reply: FastifyReply, name: string) {
  return reply.header("cache-control", HASHED.test(name) ? FOREVER : "no-cache").sendFile(name);
}

function readName(request: FastifyRequest): string | undefined {
  const { "*": name } = request.params as { "*": string };
  return name === "" ? PAGE : name;
}

/**
 * A browser that opens an address, as against a script, an image or a program that asks for a file. Names of clusters
 * may hold dots, so only addresses directly under the root are taken for files by their dot.
 */
function isNavigation(request: FastifyRequest): boolean {
  const path = request.url.split("?", 1)[0] ?? "";
  if (/^\/(api|assets)(\/|$)|^\/[^/]*\.[^/]*$/.test(path)) return false;
  const mode = request.headers["sec-fetch-mode"];
  return (mode === undefined || mode === "navigate") && (request.headers.accept ?? "").includes("text/html");
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map((entry) => posix.join(posix.relative(folder, entry.parentPath), entry.name));
}
