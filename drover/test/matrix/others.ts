import { sha256 } from "../../src/lib/sha256.ts";
import { GOOD_PASSWORD } from "../sign-in.ts";
import type { ObjectTables } from "./objects.ts";
import type { Made, Matrix, Row } from "./row.ts";

const plain: Row = { scope: "none" };
const SYSTEM = { type: "system", name: "test" } as const;
const HOUR_MS = 3_600_000;

export const otherRows: Omit<
  Matrix,
  ObjectTables | "clusters" | "clusterActions" | "clusterDetails" | "jobs" | "logs" | "events"
> = {
  meta: {
    health: plain,
    readiness: plain,
    version: plain,
    openApi: plain,
    apiPage: plain,
    apiPageStyle: plain,
    metrics: plain,
    supportBundle: plain,
  },
  sessions: {
    listLoginWays: plain,
    login: {
      scope: "none",
      request: async (made) => ({ body: { name: await makeUser(made), password: GOOD_PASSWORD } }),
    },
    loginWithLink: { scope: "none", request: async (made) => ({ body: { token: await makeLink(made) } }) },
    startOidc: { ...plain, refusal: "openid-not-configured" },
    finishOidc: { scope: "none", request: () => ({ query: { state: "s" } }), refusal: "openid-not-configured" },
    logout: plain,
    whoAmI: plain,
    changeMe: { scope: "none", request: () => ({ body: { preferences: { theme: "dark" } } }) },
    listSessions: plain,
    // Sessions may do all that their user may, and the user behind the tokens is an administrator.
    revokeSession: {
      scope: "none",
      request: async (made) => ({ params: { id: await openSession(made) } }),
      needs: "admin",
    },
  },
  users: {
    listUsers: plain,
    createUser: { scope: "none", request: ({ word }) => ({ body: { name: word, role: "viewer" } }) },
    changeUser: {
      scope: "none",
      request: async (made) => ({ params: { id: await makeUserId(made) }, body: { displayName: "Zoe" } }),
    },
  },
  tokens: {
    listTokens: plain,
    createToken: { scope: "none", request: ({ word }) => ({ body: { name: word, role: "viewer" } }) },
    revokeToken: { scope: "none", request: async (made) => ({ params: { id: await makeTokenId(made) } }) },
  },
  audit: { listAudit: plain, verifyAudit: plain },
  settings: {
    listOptions: plain,
    listSettings: plain,
    putSetting: {
      scope: "none",
      request: ({ word }) => ({
        ...{ params: { key: "notice.text" }, body: { value: word } },
        headers: { "if-match": "*" },
      }),
    },
  },
  workers: {
    listWorkers: plain,
    drainWorker: { scope: "none", request: () => ({ params: { id: "nobody" } }), refusal: "worker-not-found" },
  },
  doctor: { listReports: plain },
  argocd: {
    // Nobody's role and no scope opens it: it has a token of its own.
    getParameters: { scope: "none", request: () => ({ body: { applicationSetName: "apps" } }) },
    createPluginToken: plain,
  },
};

async function makeUserId({ test, word }: Made): Promise<string> {
  return (await test.store.access.createUser(SYSTEM, { name: word, role: "viewer" })).id;
}

async function makeUser({ test, word }: Made): Promise<string> {
  await test.ask("POST", "/api/v1/users", { body: { name: word, role: "viewer", password: GOOD_PASSWORD } });
  return word;
}

async function makeLink({ test, word }: Made): Promise<string> {
  const token = `${word}-link-of-16-or-more`;
  await test.store.access.createLoginLink(SYSTEM, { tokenHash: sha256(token), lifetimeMs: HOUR_MS });
  return token;
}

async function openSession({ test, word }: Made): Promise<string> {
  const user = await test.store.access.findUser({ name: "tester" });
  const session = await test.store.access.createSession({
    ...{ userId: user?.id ?? "", tokenHash: sha256(word), address: "127.0.0.1", userAgent: "test" },
    lifetimeMs: HOUR_MS,
  });
  return session.id;
}

async function makeTokenId({ test, word }: Made): Promise<string> {
  const user = await test.store.access.findUser({ name: "tester" });
  const token = { userId: user?.id ?? "", name: word, tokenHash: sha256(word), role: "viewer" } as const;
  return (await test.store.access.createToken(SYSTEM, token)).id;
}
