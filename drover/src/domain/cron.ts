/**
 * When a schedule in cron's five fields comes round, in any time zone. Days are walked on the calendar of the zone and
 * turned into moments one by one: a time that the clocks skip comes when they have skipped it, and one that they show
 * twice comes the first time.
 */
export interface Cron {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly daysOfMonth: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  /** 0 is Sunday. */
  readonly daysOfWeek: ReadonlySet<number>;
  /** As cron has it: where both kinds of days are restricted, one of them is enough. */
  readonly eitherDay: boolean;
}

/** A leap day may be eight years away. */
const FARTHEST_DAYS = 366 * 8 + 2;
const DAY_MS = 86_400_000;

const BOUNDS = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;

/** Null when the text is no schedule. */
export function parseCron(text: string): Cron | null {
  const fields = text.split(" ");
  if (fields.length !== BOUNDS.length) return null;
  const sets = fields.map((field, index) => parseField(field, BOUNDS[index] ?? [0, 0]));
  const [minutes, hours, daysOfMonth, months, daysOfWeek] = sets;
  if (!minutes || !hours || !daysOfMonth || !months || !daysOfWeek) return null;
  return {
    minutes: [...minutes].sort((left, right) => left - right),
    hours: [...hours].sort((left, right) => left - right),
    daysOfMonth,
    months,
    daysOfWeek: new Set([...daysOfWeek].map((day) => day % 7)),
    eitherDay: !(fields[2] ?? "").startsWith("*") && !(fields[4] ?? "").startsWith("*"),
  };
}

function parseField(field: string, [lowest, highest]: readonly [number, number]): ReadonlySet<number> | null {
  const values = new Set<number>();
  for (const part of field.split(",")) {
    const found = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part);
    if (found === null) return null;
    const [, from, to, step] = found;
    const first = from === undefined ? lowest : Number(from);
    // A single number with a step goes on to the end, as it does in cron.
    const openEnd = from === undefined || step !== undefined ? highest : first;
    const last = to === undefined ? openEnd : Number(to);
    const stride = step === undefined ? 1 : Number(step);
    if (first < lowest || last > highest || first > last || stride < 1) return null;
    for (let value = first; value <= last; value += stride) values.add(value);
  }
  return values;
}

/** The first moment after this one; null when there is none. */
export function nextTime(cron: Cron, timeZone: string, after: number): number | null {
  const zone = new Zone(timeZone);
  const today = zone.dayOf(after) - DAY_MS;
  for (let day = today; day < today + FARTHEST_DAYS * DAY_MS; day += DAY_MS) {
    const found = timesOn(cron, zone, day).find((time) => time > after);
    if (found !== undefined) return found;
  }
  return null;
}

/** The last moment that is not after `until`, and after `after`; null when there is none. */
export function lastTime(cron: Cron, timeZone: string, after: number, until: number): number | null {
  const zone = new Zone(timeZone);
  const earliest = zone.dayOf(after) - DAY_MS;
  for (let day = zone.dayOf(until) + DAY_MS; day >= earliest; day -= DAY_MS) {
    const found = timesOn(cron, zone, day).findLast((time) => time <= until);
    if (found !== undefined) return found > after ? found : null;
  }
  return null;
}

/** The moments of one day of the calendar, which is given as midnight UTC of its date. */
function timesOn(cron: Cron, zone: Zone, day: number): readonly number[] {
  if (!isOn(cron, new Date(day))) return [];
  const times = cron.hours.flatMap((hour) => cron.minutes.map((minute) => zone.momentOf(day, hour, minute)));
  return [...new Set(times)].sort((left, right) => left - right);
}

function isOn({ daysOfMonth, daysOfWeek, months, eitherDay }: Cron, date: Date): boolean {
  if (!months.has(date.getUTCMonth() + 1)) return false;
  const [byDate, byWeekday] = [daysOfMonth.has(date.getUTCDate()), daysOfWeek.has(date.getUTCDay())];
  return eitherDay ? byDate || byWeekday : byDate && byWeekday;
}

class Zone {
  readonly #format: Intl.DateTimeFormat;

  /** Throws a RangeError for a zone that nobody knows. */
  constructor(timeZone: string) {
    const digits = "2-digit" as const;
    this.#format = new Intl.DateTimeFormat("en-US", {
      ...{ timeZone, hourCycle: "h23", year: "numeric" },
      ...{ month: digits, day: digits, hour: digits, minute: digits, second: digits },
    });
  }

  /** What the clocks show, as if it were UTC. */
  #shown(time: number): number {
    const parts = new Map(this.#format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
    const [year, month, day] = [parts.get("year") ?? 0, parts.get("month") ?? 1, parts.get("day") ?? 1];
    return Date.UTC(year, month - 1, day, parts.get("hour"), parts.get("minute"), parts.get("second"));
  }

  /** The date that the calendar shows, as midnight UTC of that date. */
  dayOf(time: number): number {
    const shown = this.#shown(time);
    return shown - (((shown % DAY_MS) + DAY_MS) % DAY_MS);
  }

  momentOf(day: number, hour: number, minute: number): number {
    const wanted = day + hour * 3_600_000 + minute * 60_000;
    // The offset is what it is half a day before or after, or it changes in between.
    const before = wanted - this.#offsetAt(wanted - DAY_MS / 2 - this.#offsetAt(wanted));
    const after = wanted - this.#offsetAt(wanted + DAY_MS / 2 - this.#offsetAt(wanted));
    const shown = [before, after].filter((time) => this.#shown(time) === wanted);
    if (shown.length > 0) return Math.min(...shown);
    return this.#endOfGap(Math.min(before, after), Math.max(before, after));
  }

  #offsetAt(time: number): number {
    return this.#shown(time) - Math.floor(time / 1_000) * 1_000;
  }

  /** The first minute between the two at which the clocks have jumped. */
  #endOfGap(from: number, to: number): number {
    const offset = this.#offsetAt(from);
    let [low, high] = [from, to];
    while (high - low > 60_000) {
      const middle = low + Math.floor((high - low) / 120_000) * 60_000;
      if (this.#offsetAt(middle) === offset) low = middle;
      else high = middle;
    }
    return high;
  }
}
