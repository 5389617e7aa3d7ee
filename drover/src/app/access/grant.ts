import type { Role } from "@drover/contract";
import { type LabelSelector, parseLabelSelector } from "../../domain/labels.ts";
import { narrowScopes, weakerRole } from "../caller.ts";

/** What a user, or one token of theirs, was given. */
export interface Given {
  readonly role: Role;
  readonly scopes: readonly string[];
}

export interface Grant {
  readonly role: Role;
  readonly scopes: readonly LabelSelector[];
}

/** What a credential allows: what its user may do, and for a token no more than the token may. */
export function grantOf(user: Given, token: Given | null): Grant {
  if (token === null) return { role: user.role, scopes: readScopes(user.scopes) };
  return {
    role: weakerRole(token.role, user.role),
    scopes: narrowScopes(readScopes(user.scopes), readScopes(token.scopes)),
  };
}

/** A scope that cannot be read any more allows nothing; left out, it would allow everything. */
export function readScopes(scopes: readonly string[]): readonly LabelSelector[] {
  return scopes.map((scope) => {
    const parsed = parseLabelSelector(scope);
    return parsed.ok ? parsed.selector : NOTHING;
  });
}

const NOTHING: LabelSelector = [
  { op: "exists", key: "drover.dev/nothing" },
  { op: "missing", key: "drover.dev/nothing" },
];

export function isSameGrant(one: Grant, other: Grant): boolean {
  return one.role === other.role && JSON.stringify(one.scopes) === JSON.stringify(other.scopes);
}
