import type { ErrorCode, Problem } from "@drover/contract";

/** What can go wrong before the server has said anything. */
export type TransportCode = "network" | "timeout" | "unreadable";

export interface ProblemDetails {
  readonly status: number;
  readonly code: ErrorCode | TransportCode;
  readonly title: string;
  readonly hint: string;
  readonly detail?: string;
  readonly retryable: boolean;
  readonly requestId?: string;
  readonly problems?: readonly Problem[];
  /** Facts beside the error: the phase, the current generation, the id of a live job. */
  readonly [fact: string]: unknown;
}

/** The only kind of error that a call to the API ends with. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly details: ProblemDetails;
  readonly retryAfterSeconds: number | null;

  constructor(details: ProblemDetails, retryAfterSeconds: number | null = null) {
    super(details.detail ?? details.title);
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  get code(): ErrorCode | TransportCode {
    return this.details.code;
  }

  get problems(): readonly Problem[] {
    return this.details.problems ?? [];
  }
}

export const isApiError = (error: unknown, code?: ErrorCode | TransportCode): error is ApiError =>
  error instanceof ApiError && (code === undefined || error.code === code);

export function transportError(code: TransportCode, status = 0): ApiError {
  return new ApiError({ status, code, title: code, hint: "", retryable: true });
}

/** The error that an answer tells of; an answer of something that is not Drover is `unreadable`. */
export async function readError(answer: Response): Promise<ApiError> {
  const retryAfter = Number(answer.headers.get("retry-after")) || null;
  try {
    const details = (await answer.json()) as ProblemDetails;
    if (typeof details.code !== "string") return transportError("unreadable", answer.status);
    return new ApiError(details, retryAfter);
  } catch {
    return transportError("unreadable", answer.status);
  }
}
