/** Time as the program may see it. Everything that waits or stamps takes one of these, so that a simulation can own time. */
export interface Clock {
  /** Wall time in milliseconds since 1970. May jump. */
  now(): number;
  /** Milliseconds that only ever grow, counted alike by all processes of one boot of one host. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Number(process.hrtime.bigint() / 1_000_000n),
};
