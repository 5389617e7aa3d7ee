import { ERRORS, type ErrorCode, isDroverError } from "@drover/contract";
import { isCommandError } from "../lib/command-error.ts";
import { isFileError } from "../lib/file-error.ts";
import type { SecretMask } from "../lib/mask-secrets.ts";
import { sanitizeText } from "../lib/sanitize-text.ts";
import { isUnreachable, type UnreachableReason } from "../lib/unreachable-error.ts";
import type { JobError } from "../ports/store/index.ts";

/** Long enough for the end of a program's output; not for all of it. */
const LONGEST_MESSAGE = 16_384;

export interface StepFailure {
  readonly error: JobError;
  /** Trying again would not help. */
  readonly final: boolean;
}

/** What a step threw, fit to be stored and shown: without secrets and without anything a terminal would obey. */
export function describeError(thrown: unknown, stepId: string, mask: SecretMask): StepFailure {
  const message = cleanMessage(messageOf(thrown), mask);
  const code = codeOf(thrown);
  const final = isCommandError(thrown, "not-found") || !ERRORS[code].retryable;
  return { error: { code, message, stepId }, final };
}

/** What a connector says about a host has a code of its own; everything else that a step throws is its failure. */
function codeOf(thrown: unknown): ErrorCode {
  if (isDroverError(thrown)) return thrown.code;
  if (isCommandError(isFileError(thrown, "denied") ? thrown.cause : thrown, "denied")) return "machine-denied";
  const cause = isUnreachable(thrown) ? thrown : isCommandError(thrown) || isFileError(thrown) ? thrown.cause : null;
  if (isUnreachable(cause)) return REFUSALS.has(cause.reason) ? "machine-denied" : "machine-unreachable";
  const isSilent = isCommandError(thrown, "unreachable") || isCommandError(thrown, "outcome-unknown");
  return isSilent || isFileError(thrown, "unreachable") ? "machine-unreachable" : "step-failed";
}

/** The host is there: it is not to be talked to, or does not want to. Waiting does not mend that. */
const REFUSALS: ReadonlySet<UnreachableReason> = new Set<UnreachableReason>([
  ...(["host-key-unknown", "host-key-changed", "credentials-unusable", "auth-refused"] as const),
]);

export function cleanMessage(text: string, mask: SecretMask): string {
  const clean = mask.mask(sanitizeText(text));
  return clean.length <= LONGEST_MESSAGE ? clean : `${clean.slice(0, LONGEST_MESSAGE)}…`;
}

export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  return typeof thrown === "string" ? thrown : `It threw ${Object.prototype.toString.call(thrown)}, which is no error.`;
}
