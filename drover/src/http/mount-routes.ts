import { createHash } from "node:crypto";
import { checkRequest, DroverError, type Handlers, type Route, type RouteTable } from "@drover/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { WebSocket } from "ws";
import { administersAll } from "../app/access/users.ts";
import { mayActAs } from "../app/caller.ts";
import { AnswerCache, type KeptAnswer } from "./answer-cache.ts";
import { readJsonBody } from "./bodies.ts";
import { RequestContext } from "./request-context.ts";

const JSON_TYPE = "application/json; charset=utf-8";

type AnyHandler = (request: unknown, context: RequestContext) => unknown;

/**
 * Mounts a part of the contract's route table. A route without a handler, or a handler that answers something else than
 * the contract says, does not compile.
 */
export function mountRoutes<T extends RouteTable>(
  app: FastifyInstance,
  routes: T,
  handlers: Handlers<T, RequestContext>,
): void {
  const cache = new AnswerCache();
  for (const [name, route] of Object.entries(routes)) {
    mountRoute(app, route, handlers[name as keyof T] as AnyHandler, cache);
  }
}

function mountRoute(app: FastifyInstance, route: Route, handle: AnyHandler, cache: AnswerCache): void {
  const { method, path: url } = route;
  // Before the body is read: nobody makes Drover read a megabyte without being let in.
  const onRequest = async (request: FastifyRequest) => {
    if (route.access !== "public") {
      request.caller = await app.authenticate(request, { orRemembered: route.fromSnapshot === true });
    }
    app.limitRate(request);
    assertAllowed(route, request);
  };
  if (route.delivery === "websocket") {
    mountSocket(app, route, handle, onRequest);
    return;
  }
  app.route({
    ...{ method, url, onRequest },
    exposeHeadRoute: method === "GET" && route.delivery === undefined,
    handler: async (request, reply) => {
      const kept = keptAnswerOf(route, request, cache);
      if (kept !== null) return sendCurrent(request, reply.code(route.success), kept);
      const context = new RequestContext(request, reply);
      const answer = await handle(readInput(route, request), context);
      return reply.sent ? reply : sendAnswer(route, context, reply, answer, cache);
    },
  });
}

/** The handler runs before the socket is opened, so that it can still refuse with a problem. */
function mountSocket(
  app: FastifyInstance,
  route: Route,
  handle: AnyHandler,
  onRequest: (request: FastifyRequest) => Promise<void>,
): void {
  const contexts = new WeakMap<FastifyRequest, RequestContext>();
  app.route({
    ...{ method: route.method, url: route.path, onRequest, exposeHeadRoute: false },
    preHandler: async (request) => {
      const input = readInput(route, request);
      if (!request.ws) throw new DroverError("request-invalid", "This address speaks WebSocket only.");
      const context = new RequestContext(request, null);
      contexts.set(request, context);
      await handle(input, context);
    },
    handler: async () => {},
    wsHandler: (socket: WebSocket, request: FastifyRequest) => contexts.get(request)?.openSocket(socket),
  });
}

function assertAllowed({ access }: Route, { caller }: FastifyRequest): void {
  if (access === "public" || access === "plugin") return;
  if (caller === null) throw new DroverError("unauthenticated", "The request carries no valid token or session.");
  if (mayActAs(caller.role, access)) {
    // What only administrators may see or do is about everything, and so not for one who has a scope.
    if (access !== "admin" || administersAll(caller)) return;
    throw new DroverError("forbidden", "This needs an administrator of everything; you have a scope.", {
      details: { neededRole: access },
    });
  }
  throw new DroverError("forbidden", `This needs the role ${access}; yours is ${caller.role}.`, {
    details: { neededRole: access },
  });
}

function readInput(route: Route, request: FastifyRequest): unknown {
  const { params, query, body, headers } = request;
  const content = route.documentBody === true ? body : readJsonBody(headers["content-type"], body);
  // Fastify makes both without the prototype that plain data has.
  const checked = checkRequest(route, {
    params: { ...(params as object) },
    query: { ...(query as object) },
    body: content,
  });
  if (checked.ok) return checked.request;
  const { problems } = checked;
  throw new DroverError("request-invalid", `The request has ${problems.length} problem(s); nothing was done.`, {
    problems,
  });
}

/** What the same caller would be answered again, as long as the store has not changed since. */
function keptAnswerOf(route: Route, request: FastifyRequest, cache: AnswerCache): KeptAnswer | null {
  const { storeStamp, caller } = request;
  if (route.fromSnapshot !== true || storeStamp === null || caller === null) return null;
  return cache.find(cacheKeyOf(request), storeStamp);
}

/** The clusters that a caller sees are a matter of its scopes alone. */
const cacheKeyOf = ({ url, caller }: FastifyRequest): string => `${url} ${JSON.stringify(caller?.scopes)}`;

function sendAnswer(
  route: Route,
  context: RequestContext,
  reply: FastifyReply,
  answer: unknown,
  cache: AnswerCache,
): FastifyReply {
  reply.code(route.success).header("cache-control", "no-store");
  if (answer === undefined) return reply.send();
  const { request, answeredVersion } = context;
  const body = Buffer.from(JSON.stringify(answer));
  const isCurrent = route.method === "GET" && route.access !== "public";
  if (!isCurrent && answeredVersion === null) return reply.type(JSON_TYPE).send(body);
  const etag = makeEtag(body, answeredVersion);
  if (!isCurrent) return reply.type(JSON_TYPE).header("etag", etag).header("cache-control", "no-cache").send(body);
  const { storeStamp } = request;
  if (route.fromSnapshot === true && storeStamp !== null && !reply.hasHeader("x-drover-snapshot")) {
    cache.keep(cacheKeyOf(request), { stamp: storeStamp, body, etag });
  }
  return sendCurrent(request, reply, { body, etag });
}

/** An answer that who has it already need not be sent again. */
function sendCurrent(request: FastifyRequest, reply: FastifyReply, { body, etag }: Pick<KeptAnswer, "body" | "etag">) {
  reply.type(JSON_TYPE).header("etag", etag).header("cache-control", "no-cache");
  return meetsEtag(request.headers["if-none-match"], etag) ? reply.code(304).send() : reply.send(body);
}

/** The version comes first, so that If-Match can tell edits of others from mere news about the state. */
function makeEtag(body: Buffer, version: number | null): string {
  const digest = createHash("sha1").update(body).digest("base64url");
  return version === null ? `"${digest}"` : `"${version}.${digest}"`;
}

function meetsEtag(header: string | undefined, etag: string): boolean {
  return (header ?? "").split(",").some((one) => one.trim().replace(/^W\//, "") === etag);
}
