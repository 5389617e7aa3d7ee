import { type ErrorKind, errorKind } from "./error-kind.ts";

/** Who may do what, and the objects of access: users, sessions, tokens, secrets. */
export const ACCESS_ERRORS = {
  unauthenticated: errorKind(401, "You are not signed in", false, "Sign in, or send a token that has not expired."),
  "login-failed": errorKind(
    401,
    "User name and password do not fit",
    false,
    "Try again, or let an administrator set a new password.",
  ),
  "openid-not-configured": errorKind(
    404,
    "Nobody signs in through an OpenID provider here",
    false,
    "Sign in by name and password, or set the option oidcIssuer.",
  ),
  "openid-unreachable": errorKind(
    503,
    "The OpenID provider does not answer",
    true,
    "Try again; the log of Drover tells what went wrong.",
  ),
  forbidden: errorKind(
    403,
    "Your role does not allow this",
    false,
    "Ask an administrator for the role that the detail names, or for a wider scope.",
  ),
  "password-weak": errorKind(422, "The password is too easy to guess", false, "Choose one of at least 12 characters."),
  "last-admin": errorKind(
    409,
    "Nobody could administer Drover any more",
    false,
    "Give the role admin to another user first.",
  ),
  "session-not-found": errorKind(404, "There is no such session", false, "List the sessions to see which are open."),
  "token-not-found": errorKind(404, "There is no such token", false, "List the tokens to see which exist."),
  "secret-not-found": errorKind(404, "There is no such secret", false, "List the secrets to see which names exist."),
  "secret-exists": errorKind(
    409,
    "A secret with this name exists",
    false,
    "Choose another name, or replace the value of the existing one.",
  ),
  "secret-in-use": errorKind(
    409,
    "A cluster or machine still uses the secret",
    false,
    "Let what the detail names use another secret first.",
  ),
} as const satisfies Record<string, ErrorKind>;
