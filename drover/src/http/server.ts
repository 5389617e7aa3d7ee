import { randomUUID } from "node:crypto";
import { maxHeaderSize } from "node:http";
import fastifyCookie from "@fastify/cookie";
import fastifyWebsocket from "@fastify/websocket";
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import { addAccess } from "./add-access.ts";
import type { ApiParts } from "./api-parts.ts";
import { addBodyParsers } from "./bodies.ts";
import { addCompression } from "./compress-answers.ts";
import { addHostGuard } from "./host-guard.ts";
import { addNotFound } from "./not-found.ts";
import { addOriginGuard } from "./origin-guard.ts";
import { answerError, answerUnreadable } from "./problem.ts";
import { addEndOfRefusedUpgrades, endRefusedUpgrade } from "./refused-upgrades.ts";
import { mountApi } from "./routes/index.ts";
import { addSecurityHeaders, setSecurityHeaders } from "./security-headers.ts";
import { serveWeb } from "./serve-web.ts";

export interface ServerParts extends ApiParts {
  readonly log: FastifyBaseLogger;
  /** The address that the server will listen on; decides which names it answers to. */
  readonly listenHost: string;
  readonly allowedHosts: readonly string[];
  /** The folder of the built web page; without one only the API is served. */
  readonly webDir: string | undefined;
}

const BODY_LIMIT_BYTES = 1_048_576;
const REQUEST_TIMEOUT_MS = 60_000;
/** Clients say little over sockets: where to go on. */
const SOCKET_MESSAGE_BYTES = 65_536;

/** The HTTP server, complete but not yet listening. */
export async function buildServer(parts: ServerParts): Promise<FastifyInstance> {
  const app: FastifyInstance = fastify({
    loggerInstance: parts.log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    genReqId: () => randomUUID(),
    bodyLimit: BODY_LIMIT_BYTES,
    // As long as Node lets an address be: what is wrong with a parameter is told by the contract.
    routerOptions: { maxParamLength: maxHeaderSize },
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: "idle",
    trustProxy: parts.access.trustedProxies.length === 0 ? false : [...parts.access.trustedProxies],
    onProtoPoisoning: "error",
    onConstructorPoisoning: "error",
    clientErrorHandler: answerUnreadable,
    frameworkErrors: (error, request, reply) => {
      // An address that cannot be decoded gets here before any hook has run.
      setSecurityHeaders(request, reply);
      endRefusedUpgrade(request, reply);
      answerError(error, request, reply);
    },
  });
  app.setErrorHandler(answerError);
  addNotFound(app);
  addSecurityHeaders(app);
  addEndOfRefusedUpgrades(app);
  addHostGuard(app, parts.listenHost, parts.allowedHosts);
  addOriginGuard(app, parts.allowedHosts, parts.access.publicUrl);
  addBodyParsers(app);
  addCompression(app);
  await app.register(fastifyCookie);
  await app.register(fastifyWebsocket, {
    options: { maxPayload: SOCKET_MESSAGE_BYTES },
    // Streams say themselves why they end; here only the door is closed.
    preClose(done) {
      this.websocketServer.close();
      done();
    },
  });
  addAccess(app, parts);
  app.addHook("onResponse", async (request, reply) => {
    const { method, url } = request;
    const ms = Math.round(reply.elapsedTime);
    request.log.debug({ method, path: url.split("?", 1)[0], status: reply.statusCode, ms }, "answered");
  });
  mountApi(app, parts);
  if (parts.webDir !== undefined) await serveWeb(app, parts.webDir);
  return app;
}
