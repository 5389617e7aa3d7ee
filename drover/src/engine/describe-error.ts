import { isDroverError } from "@drover/contract";
import { isCommandError } from "../lib/command-error.ts";
import type { SecretMask } from "../lib/mask-secrets.ts";
import { sanitizeText } from "../lib/sanitize-text.ts";
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
  const known = isDroverError(thrown);
  const message = cleanMessage(messageOf(thrown), mask);
  return {
    error: { code: known ? thrown.code : "step-failed", message, stepId },
    final: known ? !thrown.kind.retryable : isCommandError(thrown, "not-found"),
  };
}

export function cleanMessage(text: string, mask: SecretMask): string {
  const clean = mask.mask(sanitizeText(text));
  return clean.length <= LONGEST_MESSAGE ? clean : `${clean.slice(0, LONGEST_MESSAGE)}…`;
}

export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  return typeof thrown === "string" ? thrown : `It threw ${Object.prototype.toString.call(thrown)}, which is no error.`;
}
