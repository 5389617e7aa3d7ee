import type { AccessStore } from "../../ports/store/index.ts";
import type { Session } from "../session.ts";
import { listLiveAccess } from "./list-live-access.ts";
import { loginLinkMethods } from "./login-links.ts";
import { sessionMethods } from "./sessions.ts";
import { signInMethods } from "./sign-in-tries.ts";
import { tokenMethods } from "./tokens.ts";
import { userMethods } from "./users.ts";

export function accessStore(session: Session): AccessStore {
  return {
    ...userMethods(session),
    ...sessionMethods(session),
    ...tokenMethods(session),
    ...signInMethods(session),
    ...loginLinkMethods(session),
    listLiveAccess: (credentials) => session.read((db) => listLiveAccess(db, session.dialect, credentials)),
  };
}
