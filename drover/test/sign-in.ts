import type { Role } from "@drover/contract";
import type { openTestServer } from "./http.ts";

type TestServer = Awaited<ReturnType<typeof openTestServer>>;

export const GOOD_PASSWORD = "correct horse battery";

/** A user with a password, made through the API. */
export async function makeUser({ ask }: TestServer, name: string, role: Role = "operator", more: object = {}) {
  const answer = await ask("POST", "/api/v1/users", { body: { name, role, password: GOOD_PASSWORD, ...more } });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json as unknown as { readonly id: string; readonly name: string };
}

/** The cookie of a new session, as a browser would send it. */
export async function signInAs({ ask }: TestServer, name: string, password = GOOD_PASSWORD): Promise<string> {
  const answer = await ask("POST", "/api/v1/login", { as: null, body: { name, password } });
  if (answer.status !== 200) throw new Error(answer.text);
  return readCookie(answer.headers["set-cookie"]);
}

export const readCookie = (header: unknown): string => String([header].flat()[0]).split(";", 1)[0] ?? "";
