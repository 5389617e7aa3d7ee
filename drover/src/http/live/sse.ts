/** How long clients wait before they come back, in milliseconds. */
export const RETRY_MS = 1_000;

interface SseBlock {
  readonly id?: number;
  readonly event?: string;
  readonly retry?: number;
  /** One line: JSON has no line breaks. */
  readonly data?: string;
}

/** One block of an event stream. Without data it only tells where the reader is. */
export function sseBlock({ id, event, retry, data }: SseBlock): string {
  return [
    retry === undefined ? "" : `retry: ${retry}\n`,
    id === undefined ? "" : `id: ${id}\n`,
    event === undefined ? "" : `event: ${event}\n`,
    data === undefined ? "" : `data: ${data}\n`,
    "\n",
  ].join("");
}
