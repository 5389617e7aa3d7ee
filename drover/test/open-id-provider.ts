import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

interface Grant {
  readonly nonce: string;
  readonly challenge: string;
  readonly redirectUri: string;
}

export const CLIENT = { clientId: "drover", clientSecret: "a secret of the test" };

const newKey = () => generateKeyPairSync("rsa", { modulusLength: 2048 });

// Keys take their time to be made; once for a test file is enough.
const [key, foreignKey] = [newKey(), newKey()];

/** A small OpenID provider that lets in everybody, as whom a test says, and that can be made to cheat. */
export async function startOpenIdProvider() {
  const grants = new Map<string, Grant>();
  const provider = {
    issuer: "",
    /** Who signs in next. */
    claims: { sub: "42" } as Record<string, unknown>,
    cheat: null as "nonce" | "key" | "issuer" | "audience" | "expired" | null,
    /** What Drover sent to the address where codes are turned in. */
    turnedIn: [] as URLSearchParams[],
  };
  const makeIdToken = ({ nonce }: Grant): string => {
    const now = Math.floor(Date.now() / 1_000);
    const { cheat } = provider;
    const claims = {
      iss: cheat === "issuer" ? "https://evil.example" : provider.issuer,
      aud: cheat === "audience" ? "somebody-else" : CLIENT.clientId,
      iat: now,
      exp: cheat === "expired" ? now - 3_600 : now + 60,
      nonce: cheat === "nonce" ? "another" : nonce,
      ...provider.claims,
    };
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
    const input = `${encode({ alg: "RS256", kid: "1" })}.${encode(claims)}`;
    const { privateKey } = cheat === "key" ? foreignKey : key;
    return `${input}.${sign("sha256", Buffer.from(input), privateKey).toString("base64url")}`;
  };
  const routes: Record<string, (url: URL, request: IncomingMessage, response: ServerResponse) => unknown> = {
    "/.well-known/openid-configuration": () => ({
      issuer: provider.issuer,
      authorization_endpoint: `${provider.issuer}/authorize`,
      token_endpoint: `${provider.issuer}/token`,
      jwks_uri: `${provider.issuer}/jwks`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
    }),
    "/jwks": () => ({ keys: [{ ...key.publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256", use: "sig" }] }),
    "/authorize": ({ searchParams: asked }, _request, response) => {
      const code = randomBytes(8).toString("hex");
      const [nonce, challenge] = [asked.get("nonce") ?? "", asked.get("code_challenge") ?? ""];
      const redirectUri = asked.get("redirect_uri") ?? "";
      if (asked.get("code_challenge_method") !== "S256") throw new Error("PKCE is missing");
      grants.set(code, { nonce, challenge, redirectUri });
      const target = new URL(redirectUri);
      target.searchParams.set("code", code);
      target.searchParams.set("state", asked.get("state") ?? "");
      response.writeHead(302, { location: target.href }).end();
    },
    "/token": async (_url, request) => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      const sent = new URLSearchParams(body);
      provider.turnedIn.push(sent);
      const code = sent.get("code") ?? "";
      const grant = grants.get(code);
      grants.delete(code);
      const proof = createHash("sha256")
        .update(sent.get("code_verifier") ?? "")
        .digest("base64url");
      if (grant === undefined || proof !== grant.challenge) throw new Error("the code is not good");
      if (sent.get("redirect_uri") !== grant.redirectUri) throw new Error("another address");
      if (sent.get("client_secret") !== CLIENT.clientSecret) throw new Error("another client");
      return { access_token: "x", token_type: "Bearer", expires_in: 60, id_token: makeIdToken(grant) };
    },
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", provider.issuer);
    try {
      const result = await routes[url.pathname]?.(url, request, response);
      if (response.headersSent) return;
      response.writeHead(result === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(result ?? {}));
    } catch (error) {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: "invalid_grant", error_description: (error as Error).message }));
    }
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  provider.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return provider;
}
