import type { OwnedToken } from "../../app/access/tokens.ts";
import type { Caller } from "../../app/caller.ts";
import type { SessionRecord, UserRecord } from "../../ports/store/index.ts";
import { toTime, toTimeOrNull } from "./time.ts";

export const presentUser = ({
  id,
  name,
  displayName,
  role,
  scopes,
  disabledAt,
  oidcSubject,
  createdAt,
}: UserRecord) => ({
  ...{ id, name, displayName, role },
  scopes: [...scopes],
  disabled: disabledAt !== null,
  external: oidcSubject !== null,
  createdTime: toTime(createdAt),
});

export const presentToken = ({ id, name, owner, role, scopes, createdAt, expiresAt, lastUsedAt }: OwnedToken) => ({
  ...{ id, name, owner, role },
  scopes: [...scopes],
  createdTime: toTime(createdAt),
  expiresTime: toTimeOrNull(expiresAt),
  lastUsedTime: toTimeOrNull(lastUsedAt),
});

export const presentSession = ({ id, address, userAgent, createdAt, expiresAt }: SessionRecord, caller: Caller) => ({
  ...{ id, address, userAgent },
  createdTime: toTime(createdAt),
  expiresTime: toTime(expiresAt),
  current: caller.credential.kind === "session" && caller.credential.id === id,
});
