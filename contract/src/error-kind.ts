export interface ErrorKind {
  readonly status: number;
  readonly title: string;
  /** Whether the same request may succeed later without being changed. */
  readonly retryable: boolean;
  /** The next move. */
  readonly hint: string;
}

export function errorKind(status: number, title: string, retryable: boolean, hint: string): ErrorKind {
  return { status, title, retryable, hint };
}
