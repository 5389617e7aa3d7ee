import type { Role } from "@drover/contract";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { buildServer, type ServerParts } from "../src/http/server.ts";
import { sha256 } from "../src/lib/sha256.ts";
import { testAccess } from "./access.ts";
import { expectAnnounced, findRoute } from "./answers.ts";
import { openTestApp, type TestAppOptions } from "./app.ts";

/** Data of any shape: tests look into it and compare what they find. */
interface Loose {
  readonly [key: string]: Loose;
}

/** A text that is known to stand there. */
export const asText = (value: Loose | undefined): string => value as unknown as string;

type Ask = (
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  url: string,
  options?: {
    /** The role that the request has, or the very token; null for nobody. */
    readonly as?: Role | `drv_${string}` | null;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  },
) => Promise<{
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly json: Loose;
}>;

/** The HTTP server on a real store, with a token for each role; nothing listens, requests are handed in. */
export async function openTestServer(parts: Partial<ServerParts> = {}, options: TestAppOptions = {}) {
  const test = await openTestApp(options);
  const server: FastifyInstance = await buildServer({
    log: pino({ level: "silent" }),
    version: "1.2.3",
    ready: async () => ({ ok: true }),
    listenHost: "127.0.0.1",
    allowedHosts: [],
    webDir: undefined,
    options: [],
    app: test.app,
    access: testAccess(),
    ...parts,
  });
  const makeToken = async (role: Role, scopes: readonly string[] = [], name = `${role}${scopes.join()}`) => {
    const actor = { type: "system", name: "test" } as const;
    const { access } = test.store;
    const user =
      (await access.findUser({ name: "tester" })) ??
      (await access.createUser(actor, { name: "tester", role: "admin" }));
    const secret = `drv_${name}-${Math.random().toString(36).slice(2)}` as const;
    await access.createToken(actor, { userId: user.id, name, tokenHash: sha256(secret), role, scopes });
    return secret;
  };
  const tokens = {
    admin: await makeToken("admin"),
    operator: await makeToken("operator"),
    viewer: await makeToken("viewer"),
  };
  const ask: Ask = async (method, url, { as = "admin", body, headers = {} } = {}) => {
    const token = as === null ? null : as in tokens ? tokens[as as Role] : as;
    const isText = typeof body === "string";
    const answer = await server.inject({
      ...{ method, url },
      headers: {
        host: "localhost",
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": isText ? "application/yaml" : "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: isText ? body : JSON.stringify(body) }),
    });
    const isJson = String(answer.headers["content-type"] ?? "").includes("json") && answer.body !== "";
    const asked = {
      status: answer.statusCode,
      headers: answer.headers,
      text: answer.body,
      json: isJson ? answer.json() : {},
    };
    const route = findRoute(method, url);
    if (route !== undefined && (isJson || asked.status === 204)) expectAnnounced(route, asked);
    return asked;
  };
  const dispose = async () => {
    await server.close();
    await test.dispose();
  };
  return { ...test, server, ask, makeToken, tokens, dispose };
}
