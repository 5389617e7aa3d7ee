/** Bytes per second that one machine would get now, as far as was seen; null before the first file. */
export interface Rates {
  readonly upload: number | null;
  readonly copy: number | null;
}

export interface Situation {
  readonly bytes: number;
  readonly rates: Rates;
  /** Machines that have the file and lend it, the least busy first. */
  readonly lenders: readonly string[];
  /** In how many seconds another machine will have it; null when none is getting it from here. */
  readonly comingIn: number | null;
  /** For how many seconds it has waited for a file to try with, all in all. */
  readonly waited: number;
}

export type Way =
  | { readonly way: "upload" }
  | { readonly way: "copy"; readonly from: string }
  | { readonly way: "wait" };

/** What takes less from here is not worth asking another machine for. */
export const WORTH_SECONDS = 2;
/** How long a machine waits for the first file that it could get from another one. */
export const TRIAL_PATIENCE_SECONDS = 3;

const UPLOAD: Way = { way: "upload" };

/**
 * How a machine gets a file soonest: from here, from a machine that has it, or from one that is about to have it. Nobody
 * knows how quick machines are among each other before one has tried, so the first file that is worth it is a trial.
 */
export function chooseWay({ bytes, rates, lenders, comingIn, waited }: Situation): Way {
  const [from] = lenders;
  if (rates.upload === null) return UPLOAD;
  const uploadSeconds = bytes / rates.upload;
  if (uploadSeconds < WORTH_SECONDS) return UPLOAD;
  if (rates.copy === null) {
    if (from !== undefined) return { way: "copy", from };
    return comingIn !== null && waited + comingIn < TRIAL_PATIENCE_SECONDS ? { way: "wait" } : UPLOAD;
  }
  const copySeconds = bytes / rates.copy;
  if (from !== undefined) return copySeconds < uploadSeconds ? { way: "copy", from } : UPLOAD;
  if (comingIn !== null && comingIn + copySeconds < uploadSeconds) return { way: "wait" };
  return UPLOAD;
}

export interface Candidate {
  readonly isLent: boolean;
  readonly isComing: boolean;
}

/**
 * Which file a machine takes next: one that another machine has, else one that nobody else is getting, so that each
 * leaves from here about once and machines have something to hand on.
 */
export function chooseNext(candidates: readonly Candidate[], rates: Rates): number {
  const copies = rates.copy === null || rates.upload === null || rates.copy > rates.upload;
  const rank = ({ isLent, isComing }: Candidate): number => (isLent && copies ? 0 : isComing ? 2 : 1);
  const ranks = candidates.map(rank);
  return ranks.indexOf(Math.min(...ranks));
}

/** A new rate counts as much as all before it. */
export function mergeRate(known: number | null, bytes: number, seconds: number): number {
  const rate = bytes / Math.max(seconds, 0.001);
  return known === null ? rate : (known + rate) / 2;
}
