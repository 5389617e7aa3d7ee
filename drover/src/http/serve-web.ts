import { statSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendProblem } from "./problem.ts";

const PAGE = "index.html";
/** The build puts a hash of the content into these names, so what a name stands for never changes. */
const HASHED = /^assets\//;
const FOREVER = "public, max-age=31536000, immutable";

/** Plain names only: no hidden file, nothing that leads out of the folder. */
const PLAIN = /^\w[\w.-]*(\/\w[\w.-]*)*$/;

/**
 * Serves the built web page: its files, and the page itself for every other address that a browser navigates to, since
 * the page does its own routing. Looks at the folder each time, so that a new build is served as a whole.
 */
export async function serveWeb(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, { root: folder, serve: false, cacheControl: false, preCompressed: true });
  const isFile = (name: string) =>
    PLAIN.test(name) && statSync(join(folder, name), { throwIfNoEntry: false })?.isFile() === true;
  app.get("/*", (request, reply) => {
    const { "*": name } = request.params as { "*": string };
    if (isFile(name)) return sendFile(reply, name);
    if ((name === "" || isNavigation(request)) && isFile(PAGE)) return sendFile(reply, PAGE);
    return sendProblem(request, reply, "route-not-found");
  });
}

function sendFile(reply: FastifyReply, name: string) {
  return reply.header("cache-control", HASHED.test(name) ? FOREVER : "no-cache").sendFile(name);
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
