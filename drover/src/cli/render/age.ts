const UNITS = [
  ["d", 86_400],
  ["h", 3_600],
  ["m", 60],
  ["s", 1],
] as const;

/** How long ago something was: 45s, 12m, 3h, 9d. Above ten of a unit the next one says nothing that helps. */
export function describeAge(time: string | null | undefined, now: number): string {
  if (time === null || time === undefined) return "-";
  return describeSeconds(Math.max(0, (now - Date.parse(time)) / 1_000));
}

/** A length of time in at most two units: 45s, 4m10s, 3h, 9d. */
export function describeSeconds(seconds: number): string {
  const whole = Math.floor(seconds);
  for (const [at, [unit, size]] of UNITS.entries()) {
    if (whole < size) continue;
    const count = Math.floor(whole / size);
    const [smaller, smallerSize] = UNITS[at + 1] ?? ["", 1];
    const rest = Math.floor((whole % size) / smallerSize);
    return count < 10 && smaller !== "" && rest > 0 ? `${count}${unit}${rest}${smaller}` : `${count}${unit}`;
  }
  return "0s";
}
