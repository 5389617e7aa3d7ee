import type { Configuration } from "openid-client";
import type { OpenIdClaims, OpenIdProvider } from "../app/access/open-id.ts";
import { isLoopback } from "./host-guard.ts";

export interface OpenIdOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly scopes: string;
}

const TIMEOUT_SECONDS = 10;

/** Speaks to the OpenID provider that the options name; finds out about it when somebody first wants to sign in. */
export function openIdClient({ issuer, clientId, clientSecret, scopes }: OpenIdOptions): OpenIdProvider {
  let configuration: Promise<Configuration> | null = null;
  const configure = async () => {
    const client = await import("openid-client");
    const url = new URL(issuer);
    const authentication = clientSecret === null ? client.None() : client.ClientSecretPost(clientSecret);
    // Everybody else must be asked over TLS: what the provider says is who somebody is.
    const isLocal = url.protocol === "http:" && isLoopback(url.hostname);
    return await client.discovery(url, clientId, undefined, authentication, {
      timeout: TIMEOUT_SECONDS,
      // Signatures are checked even though TLS has already told who answers.
      execute: [...(isLocal ? [client.allowInsecureRequests] : []), client.enableNonRepudiationChecks],
    });
  };
  const getConfiguration = () => {
    configuration ??= configure();
    // A provider that did not answer is asked again next time.
    configuration.catch(() => {
      configuration = null;
    });
    return configuration;
  };
  return {
    begin: async (redirectUrl) => {
      const client = await import("openid-client");
      const config = await getConfiguration();
      const checks = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUrl,
        scope: scopes,
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: "S256",
      });
      return { url: url.href, checks };
    },
    finish: async (callbackUrl, { state, nonce, verifier }) => {
      const client = await import("openid-client");
      const answer = await client.authorizationCodeGrant(await getConfiguration(), new URL(callbackUrl), {
        ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier },
        idTokenExpected: true,
      });
      const claims = answer.claims();
      if (claims === undefined) throw new Error("The provider sent no identity.");
      return claims as OpenIdClaims;
    },
  };
}
