import { DroverError, type Handlers, sessionRoutes } from "@drover/contract";
import type { FastifyInstance } from "fastify";
import type { AccessApp, SignedIn } from "../../app/access/access-app.ts";
import { signInByLink } from "../../app/access/login-link.ts";
import {
  changeOwnPassword,
  listOwnSessions,
  revokeOwnSession,
  setPreferences,
  whoAmI,
} from "../../app/access/own-account.ts";
import { signIn } from "../../app/access/sign-in.ts";
import type { Caller } from "../../app/caller.ts";
import { networkOf } from "../../lib/network-of.ts";
import type { Json, UserRecord } from "../../ports/store/index.ts";
import type { ApiParts } from "../api-parts.ts";
import { isLoopback } from "../host-guard.ts";
import { mountRoutes } from "../mount-routes.ts";
import { presentSession, presentUser } from "../present/access.ts";
import type { RequestContext } from "../request-context.ts";
import { clearCookie, SESSION_COOKIE, setCookie } from "../session-cookie.ts";
import { visitorOf } from "../visitor.ts";
import { makeOpenIdHandlers } from "./open-id.ts";

type SessionHandlers = Handlers<typeof sessionRoutes, RequestContext>;

/** Signing in and out, and one's own account. */
export function addSessionRoutes(app: FastifyInstance, parts: ApiParts): void {
  const access: AccessApp = { ...parts.access, store: parts.app.store };
  const { publicUrl } = parts.access;
  const giveCookie = ({ reply }: RequestContext, { secret }: SignedIn) =>
    setCookie(reply, publicUrl, {
      ...{ name: SESSION_COOKIE, value: secret, sameSite: "strict" },
      maxAgeMs: access.sessions.longestMs,
    });
  const letIn = (context: RequestContext, signedIn: SignedIn) => {
    giveCookie(context, signedIn);
    return presentUser(signedIn.user);
  };
  const describeMe = async (caller: Caller) => {
    const user = await whoAmI(access, caller);
    return { user: presentUser(user), preferences: preferencesOf(user) };
  };
  const handlers: SessionHandlers = {
    listLoginWays: () => ({ password: true, openId: parts.access.openId !== null }),
    login: async ({ body }, context) => letIn(context, await signIn(access, body, visitorOf(context.request))),
    loginWithLink: async ({ body }, context) => {
      const visitor = visitorOf(context.request);
      if (!isLoopback(networkOf(visitor.address)) && !isLoopback(visitor.address)) {
        throw new DroverError("login-failed", "A login link works on the machine only that Drover runs on.");
      }
      return letIn(context, await signInByLink(access, body.token, visitor));
    },
    ...makeOpenIdHandlers(parts, access, giveCookie),
    logout: async (_request, { caller, reply }) => {
      const { kind, id } = caller.credential;
      if (kind === "session") await access.store.access.revokeSession(caller.actor, id);
      clearCookie(reply, publicUrl, SESSION_COOKIE);
    },
    whoAmI: async (_request, { caller }) => await describeMe(caller),
    changeMe: async ({ body }, context) => {
      const { caller, request } = context;
      if (body.password !== undefined) {
        const renewed = await changeOwnPassword(access, caller, body.password, visitorOf(request));
        if (renewed !== null) giveCookie(context, renewed);
      }
      if (body.preferences !== undefined) await setPreferences(access, caller, body.preferences as Json);
      return await describeMe(caller);
    },
    listSessions: async (_request, { caller }) => ({
      items: (await listOwnSessions(access, caller)).map((session) => presentSession(session, caller)),
    }),
    revokeSession: async ({ params }, { caller }) => {
      await revokeOwnSession(access, caller, params.id);
    },
  };
  mountRoutes(app, sessionRoutes, handlers);
}

type Preferences = Awaited<ReturnType<SessionHandlers["whoAmI"]>>["preferences"];

/** As they were stored: the contract has checked them when they came. */
const preferencesOf = ({ preferences }: UserRecord): Preferences => preferences as Preferences;
