export interface DurationParts {
  readonly days: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
}

export function splitDuration(ms: number): DurationParts {
  const total = Math.max(0, Math.floor(ms / 1000));
  return {
    days: Math.floor(total / 86_400),
    hours: Math.floor((total % 86_400) / 3_600),
    minutes: Math.floor((total % 3_600) / 60),
    seconds: total % 60,
  };
}

/** As a stopwatch shows it: 0:07, 3:12, 1:02:05. */
export function formatStopwatch(ms: number): string {
  const { days, hours, minutes, seconds } = splitDuration(ms);
  const pad = (value: number) => String(value).padStart(2, "0");
  const allHours = days * 24 + hours;
  return allHours > 0 ? `${allHours}:${pad(minutes)}:${pad(seconds)}` : `${minutes}:${pad(seconds)}`;
}
