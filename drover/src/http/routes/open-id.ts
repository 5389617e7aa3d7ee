import { DroverError, type Handlers, isDroverError, type sessionRoutes } from "@drover/contract";
import type { FastifyRequest } from "fastify";
import type { AccessApp, SignedIn } from "../../app/access/access-app.ts";
import { signInByOpenId } from "../../app/access/open-id.ts";
import { countForAddress, refuse } from "../../app/access/sign-in.ts";
import type { ApiParts } from "../api-parts.ts";
import { readLocalPath } from "../local-path.ts";
import { endTrip, startTrip } from "../open-id-cookie.ts";
import type { RequestContext } from "../request-context.ts";
import { visitorOf } from "../visitor.ts";

type OpenIdHandlers = Pick<Handlers<typeof sessionRoutes, RequestContext>, "startOidc" | "finishOidc">;

const CALLBACK_PATH = "/api/v1/login/oidc/callback";

/** There and back again: a browser goes to the provider, and comes back with a code that only Drover can use. */
export function makeOpenIdHandlers(
  { access: { openId, publicUrl } }: ApiParts,
  access: AccessApp,
  giveCookie: (context: RequestContext, signedIn: SignedIn) => void,
): OpenIdHandlers {
  const getOpenId = () => {
    if (openId !== null) return openId;
    throw new DroverError("openid-not-configured", "This server has no OpenID provider.");
  };
  const callbackUrl = (request: FastifyRequest): string =>
    new URL(CALLBACK_PATH, publicUrl ?? `${request.protocol}://${request.headers.host}`).href;
  const finish = async (context: RequestContext): Promise<string> => {
    const { request, reply, log } = context;
    const { provider, rules } = getOpenId();
    const visitor = visitorOf(request);
    const trip = endTrip(request, reply, publicUrl);
    if (trip === null) throw new DroverError("login-failed", "This browser did not begin to sign in here.");
    const search = new URL(request.url, "http://drover.invalid").search;
    const signedIn = await countForAddress(access, visitor, async () => {
      const claims = await provider.finish(`${callbackUrl(request)}${search}`, trip).catch(async (error: unknown) => {
        log.warn({ err: error }, "the OpenID provider did not vouch for somebody");
        throw await refuse(access, null, visitor);
      });
      return await signInByOpenId(access, rules, claims, visitor);
    });
    giveCookie(context, signedIn);
    return readLocalPath(trip.returnTo);
  };
  return {
    startOidc: async ({ query }, { request, reply, log }) => {
      const { provider } = getOpenId();
      const trip = await provider.begin(callbackUrl(request)).catch((error: unknown) => {
        log.warn({ err: error }, "the OpenID provider does not answer");
        throw new DroverError("openid-unreachable", "The OpenID provider could not be asked.", { cause: error });
      });
      startTrip(reply, publicUrl, { ...trip.checks, returnTo: readLocalPath(query.returnTo) });
      return void reply.header("cache-control", "no-store").redirect(trip.url, 302);
    },
    finishOidc: async (_request, context) => {
      const { request, reply } = context;
      reply.header("cache-control", "no-store");
      try {
        return void reply.redirect(await finish(context), 302);
      } catch (error) {
        // Who came with a browser is better off on the page than in front of a text for programs.
        const isBrowser = request.headers.accept?.includes("text/html") === true;
        if (!isBrowser || !isDroverError(error)) throw error;
        return void reply.redirect(`/login?error=${error.code}`, 302);
      }
    },
  };
}
