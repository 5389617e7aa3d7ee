import { sql } from "kysely";
import type { CredentialRef, LiveAccess, Role } from "../../ports/store/index.ts";
import type { Db, Dialect } from "../session.ts";

interface Row {
  readonly kind: CredentialRef["kind"];
  readonly id: string;
  readonly user_role: Role;
  readonly user_scopes: string;
  readonly token_role: Role | null;
  readonly token_scopes: string | null;
}

export async function listLiveAccess(
  db: Db,
  dialect: Dialect,
  credentials: readonly CredentialRef[],
): Promise<readonly LiveAccess[]> {
  if (credentials.length === 0) return [];
  const rowsOf = (wanted: CredentialRef["kind"]) =>
    dialect.rows(
      credentials.filter(({ kind }) => kind === wanted).map(({ id }) => ({ id })),
      { id: "text" },
    );
  const now = dialect.now();
  const { rows } = await sql<Row>`
    select 'session' as kind, s.id, u.role as user_role, u.scopes as user_scopes,
        cast(null as text) as token_role, cast(null as text) as token_scopes
      from ${rowsOf("session")} asked join sessions s on s.id = asked.id join users u on u.id = s.user_id
      where s.revoked_at is null and s.expires_at > ${now} and u.disabled_at is null
    union all
    select 'token' as kind, t.id, u.role, u.scopes, t.role, t.scopes
      from ${rowsOf("token")} asked join tokens t on t.id = asked.id join users u on u.id = t.user_id
      where t.revoked_at is null and (t.expires_at is null or t.expires_at > ${now}) and u.disabled_at is null
  `.execute(db);
  return rows.map(({ kind, id, user_role, user_scopes, token_role, token_scopes }) => ({
    ...{ kind, id },
    user: { role: user_role, scopes: JSON.parse(user_scopes) },
    token: token_role === null ? null : { role: token_role, scopes: JSON.parse(token_scopes ?? "[]") },
  }));
}
