import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { isDroverError } from "@drover/contract";
import { sleep, type Timer } from "../../ports/timer.ts";
import { refusalOf, Unavailable, unreachable } from "./failures.ts";
import { type Answer, type GetRequest, get } from "./http-get.ts";

export interface Patience {
  readonly timer: Timer;
  /** So often in a row it may bring nothing new. */
  readonly attempts: number;
  readonly baseMs: number;
  readonly capMs: number;
}

export interface DownloadWatch {
  /** How much is there, and of how much where that is known. */
  readonly onBytes?: (done: number, total: number | null) => void;
  readonly onRetry?: (why: string) => void;
}

/** Tries again what may come right, for as long as each try brings something new, and a few times beyond. */
export async function withPatience<T>(
  request: GetRequest,
  { timer, attempts, baseMs, capMs }: Patience,
  work: () => Promise<T>,
  {
    hasGained = async () => false,
    onRetry = () => {},
  }: {
    readonly hasGained?: () => Promise<boolean>;
    readonly onRetry?: ((why: string) => void) | undefined;
  } = {},
): Promise<T> {
  for (let fruitless = 1; ; fruitless += 1) {
    try {
      return await work();
    } catch (error) {
      request.signal.throwIfAborted();
      if (!(error instanceof Unavailable)) throw error;
      if (await hasGained()) fruitless = 1;
      if (fruitless >= attempts) throw unreachable(request.url, error.message, error);
      onRetry(error.message);
      await sleep(timer, Math.min(capMs, baseMs * 2 ** (fruitless - 1)), request.signal);
    }
  }
}

/** Into a file that may hold the beginning already; answers whether that beginning was used. */
export async function download(
  request: GetRequest,
  file: string,
  patience: Patience,
  { onBytes = () => {}, onRetry }: DownloadWatch = {},
): Promise<{ readonly resumed: boolean }> {
  const handle = await open(file, constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    const had = (await handle.stat()).size;
    let resumed = had > 0;
    let most = had;
    await withPatience(
      request,
      patience,
      async () => {
        const { size } = await handle.stat();
        const answer = await get({ ...request, from: size });
        resumed = (await takeAnswer(request, handle, size, answer, onBytes)) && resumed;
      },
      {
        onRetry,
        hasGained: async () => {
          const { size } = await handle.stat();
          const gained = size > most;
          most = Math.max(most, size);
          return gained;
        },
      },
    );
    return { resumed };
  } finally {
    await handle.close();
  }
}

/** Whether what was there has been gone on with. */
async function takeAnswer(
  { url, signal }: GetRequest,
  handle: FileHandle,
  size: number,
  { status, headers, body }: Answer,
  onBytes: (done: number, total: number | null) => void,
): Promise<boolean> {
  const goesOn = status === 206 && headers["content-range"]?.startsWith(`bytes ${size}-`) === true;
  if (status !== 200 && !goesOn) {
    body.destroy();
    if (status === 416 && size > 0 && headers["content-range"] === `bytes */${size}`) return true;
    // What is there belongs to something else: from the beginning, then.
    if (status === 206 || status === 416) {
      await handle.truncate(0);
      throw new Unavailable("it is not as long as what was fetched before");
    }
    throw refusalOf(url, status);
  }
  if (!goesOn) await handle.truncate(0);
  const start = goesOn ? size : 0;
  const length = Number(headers["content-length"] ?? Number.NaN);
  const total = Number.isFinite(length) ? start + length : null;
  let at = start;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      // A disk that is full is not the other side's fault: told as it is.
      await handle.write(chunk, 0, chunk.length, at).catch((cause: unknown) => {
        throw unreachable(url, `it cannot be written here (${(cause as Error).message})`, cause);
      });
      at += chunk.length;
      onBytes(at, total);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw isDroverError(error) ? error : new Unavailable("it broke off", error);
  }
  if (total !== null && at !== total) throw new Unavailable("it broke off");
  return goesOn;
}
