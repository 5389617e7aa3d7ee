import type { Problem } from "@drover/contract";

/** What the server answered instead of what was asked for: an RFC 9457 problem, as far as it is one. */
export interface ProblemAnswer {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail?: string;
  readonly hint?: string;
  readonly retryable?: boolean;
  readonly requestId?: string;
  readonly problems?: readonly Problem[];
}

/** The server refused. Carries the code that programs compare. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly answer: ProblemAnswer;
  /** What the server asks to wait; null when it did not say. */
  readonly retryAfterMs: number | null;

  constructor(answer: ProblemAnswer, retryAfterMs: number | null = null) {
    super(answer.detail ?? answer.title);
    this.answer = answer;
    this.retryAfterMs = retryAfterMs;
  }

  get code(): string {
    return this.answer.code;
  }
}

export function isApiError(error: unknown, ...codes: readonly string[]): error is ApiError {
  return error instanceof ApiError && (codes.length === 0 || codes.includes(error.code));
}

/** No answer came: nobody listens, the connection broke, or it took too long. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  /** Nothing was listening, so nothing can have been done. */
  readonly refused: boolean;

  constructor(message: string, refused: boolean, cause: unknown) {
    super(message, { cause });
    this.refused = refused;
  }
}

export async function readProblem(response: Response): Promise<ApiError> {
  const retryAfterMs = readRetryAfter(response.headers.get("retry-after"));
  const text = await response.text();
  const body = parseObject(text);
  const title = `The server answered with ${response.status} ${response.statusText}`.trim();
  if (body === null || typeof body.code !== "string") {
    const hint = "It may not be a Drover, or something stands between; check the address.";
    return new ApiError({ status: response.status, code: "unexpected-answer", title, hint }, retryAfterMs);
  }
  return new ApiError({ title, ...body, code: body.code, status: response.status }, retryAfterMs);
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const data: unknown = JSON.parse(text);
    return typeof data === "object" && data !== null ? (data as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Seconds, or a date. */
function readRetryAfter(header: string | null): number | null {
  if (header === null) return null;
  const seconds = /^\d{1,6}$/.test(header.trim()) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1_000) : null;
}
