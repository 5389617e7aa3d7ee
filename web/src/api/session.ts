import type { clusterRoutes, sessionRoutes } from "@drover/contract";

/** Typed by the contract but written out: the page does not carry the contract's schemas for a few addresses. */
const ME: (typeof sessionRoutes)["whoAmI"]["path"] = "/api/v1/me";
const LOGIN: (typeof sessionRoutes)["login"]["path"] = "/api/v1/login";
const LINK: (typeof sessionRoutes)["loginWithLink"]["path"] = "/api/v1/login/link";
const LOGOUT: (typeof sessionRoutes)["logout"]["path"] = "/api/v1/logout";
const OPEN_ID: (typeof sessionRoutes)["startOidc"]["path"] = "/api/v1/login/oidc";
const COUNTS: (typeof clusterRoutes)["countClusters"]["path"] = "/api/v1/cluster-counts";

export interface SignedIn {
  readonly kind: "signed-in";
  readonly name: string;
  readonly role: string;
  /** How many clusters are in each phase; null while that cannot be told. */
  readonly phases: Readonly<Record<string, number>> | null;
}

export type Session =
  | SignedIn
  | { readonly kind: "loading" }
  | { readonly kind: "signed-out"; readonly openId: boolean }
  | { readonly kind: "unknown" };

/** Why signing in did not work: a code of the error catalogue, or `network`. */
export type SignInFailure = { readonly code: string; readonly retryAfterSeconds: number | null };

export const openIdAddress = OPEN_ID;

/** Whoever the browser's session belongs to. Never throws. */
export async function readSession(ask: typeof fetch = fetch): Promise<Session> {
  try {
    const answer = await ask(ME, { headers: { accept: "application/json" } });
    if (answer.status === 401) return { kind: "signed-out", openId: await offersOpenId(ask) };
    if (!answer.ok) return { kind: "unknown" };
    const { user } = (await answer.json()) as { user: { displayName: string; role: string } };
    return { kind: "signed-in", name: user.displayName, role: user.role, phases: await countPhases(ask) };
  } catch {
    return { kind: "unknown" };
  }
}

async function offersOpenId(ask: typeof fetch): Promise<boolean> {
  const answer = await ask(LOGIN, { headers: { accept: "application/json" } });
  return answer.ok && ((await answer.json()) as { openId: boolean }).openId;
}

async function countPhases(ask: typeof fetch): Promise<SignedIn["phases"]> {
  const answer = await ask(COUNTS, { headers: { accept: "application/json" } });
  return answer.ok ? ((await answer.json()) as { phases: Record<string, number> }).phases : null;
}

/** Null when it worked. */
export async function signIn(
  credentials: { readonly name: string; readonly password: string } | { readonly token: string },
  ask: typeof fetch = fetch,
): Promise<SignInFailure | null> {
  try {
    const answer = await ask("token" in credentials ? LINK : LOGIN, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(credentials),
    });
    if (answer.ok) return null;
    const { code } = (await answer.json()) as { code: string };
    return { code, retryAfterSeconds: Number(answer.headers.get("retry-after")) || null };
  } catch {
    return { code: "network", retryAfterSeconds: null };
  }
}

export async function signOut(ask: typeof fetch = fetch): Promise<void> {
  await ask(LOGOUT, { method: "POST" }).catch(() => undefined);
}

/** The token of a login link. It stands behind the #, which browsers send to nobody. */
export function readLinkToken(hash: string): string | null {
  return /^#token=([\w-]{16,256})$/.exec(hash)?.[1] ?? null;
}
