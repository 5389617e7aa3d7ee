import type { ErrorCode, MachineReason, Problem } from "@drover/contract";
import type { Messages } from "./messages.ts";

/** What an error of the API tells, as far as words are concerned. */
interface ToldError {
  readonly code: string;
  readonly details: { readonly title: string; readonly hint: string; readonly detail?: string };
}

export interface ErrorWords {
  readonly title: string;
  readonly hint: string;
  readonly detail: string | undefined;
}

/** An error in the reader's language, by its code. The server speaks English; other catalogues have words of their own. */
export function describeError(m: Messages, { code, details }: ToldError): ErrorWords {
  const transport = m.transport[code as keyof Messages["transport"]];
  if (transport !== undefined) return { ...transport, detail: undefined };
  const words = m.errorCodes[code as ErrorCode];
  return { title: words?.title ?? details.title, hint: words?.hint ?? details.hint, detail: details.detail };
}

/** A problem of a document, in the reader's language. */
export function describeProblem(m: Messages, problem: Problem): string {
  const words = m.problems?.[problem.code];
  return words === undefined ? problem.message : m.common.withDetail(words, problem.message);
}

interface OutOfReach {
  readonly reason: MachineReason | null;
  readonly message: string;
}

/** Why a machine is out of reach, in the reader's language. */
export function describeReason(m: Messages, { reason, message }: OutOfReach): string {
  const words = reason === null ? undefined : m.machines.reasons?.[reason];
  return words === undefined ? message : m.common.withDetail(words, message);
}

/** What is known of an error by its code alone, such as one that a job ended with. */
export function describeErrorCode(m: Messages, code: string): { readonly title: string; readonly hint: string } {
  return m.errorCodes[code as ErrorCode] ?? { title: code, hint: "" };
}
