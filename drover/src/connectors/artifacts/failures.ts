import { DroverError } from "@drover/contract";

/** It may be there in a moment. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";

  constructor(why: string, cause?: unknown) {
    super(why, { cause });
  }
}

/** For people: neither who asks, nor a signature that lets anybody ask. */
export const nameOf = ({ origin, pathname }: URL): string => `${origin}${pathname}`;

export const unreachable = (url: URL, why: string, cause?: unknown): DroverError =>
  new DroverError("artifacts-unreachable", `${nameOf(url)} cannot be fetched: ${why}.`, {
    cause,
    details: { address: nameOf(url) },
  });

/** Nothing that waiting would mend. */
export const untrusted = (url: URL, why: string, cause?: unknown): DroverError =>
  new DroverError("artifacts-untrusted", `${nameOf(url)} is not fetched: ${why}.`, {
    cause,
    details: { address: nameOf(url) },
  });

const LATER: ReadonlySet<number> = new Set([408, 425, 429]);

/** What an answer means that brings no content. */
export function refusalOf(url: URL, status: number): Error {
  const details = { address: nameOf(url), status };
  if (status === 401 || status === 403 || status === 407) {
    return new DroverError("artifacts-denied", `${nameOf(url)} is not given out: the answer was ${status}.`, {
      details,
    });
  }
  if (status === 404 || status === 410) {
    return new DroverError("artifact-missing", `${nameOf(url)} is not there: the answer was ${status}.`, { details });
  }
  if (status >= 500 || LATER.has(status)) return new Unavailable(`the answer was ${status}`);
  return untrusted(url, `the answer was ${status}`);
}
