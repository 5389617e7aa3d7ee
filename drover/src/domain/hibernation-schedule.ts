import type { ClusterSpec } from "@drover/contract";
import { type Cron, lastTime, nextTime, parseCron } from "./cron.ts";

export type HibernationSchedule = NonNullable<NonNullable<ClusterSpec["maintenance"]>["schedule"]>;

/** A moment at which a schedule wants a cluster to sleep, or to be awake. */
export interface Switch {
  readonly at: number;
  readonly hibernated: boolean;
}

/** The last switch that is not after `until`, and after `after`: of those that were missed only this one counts. */
export function lastSwitch(schedule: HibernationSchedule, after: number, until: number): Switch | null {
  return pick(schedule, (cron, zone) => lastTime(cron, zone, after, until), Math.max);
}

/** Null when the schedule never comes round, or names a time zone that nobody knows. */
export function nextSwitch(schedule: HibernationSchedule, after: number): Switch | null {
  return pick(schedule, (cron, zone) => nextTime(cron, zone, after), Math.min);
}

/** Where both fall on one moment the cluster is awake: nobody is kept from their work by a slip. */
function pick(
  { hibernate, wake, timezone }: HibernationSchedule,
  find: (cron: Cron, timeZone: string) => number | null,
  choose: (...times: number[]) => number,
): Switch | null {
  const timeOf = (text: string | undefined): number | null => {
    const cron = text === undefined ? null : parseCron(text);
    return cron === null ? null : findIn(cron);
  };
  const findIn = (cron: Cron): number | null => {
    try {
      return find(cron, timezone);
    } catch (error) {
      if (error instanceof RangeError) return null;
      throw error;
    }
  };
  const [sleeps, wakes] = [timeOf(hibernate), timeOf(wake)];
  if (sleeps === null) return wakes === null ? null : { at: wakes, hibernated: false };
  if (wakes === null) return { at: sleeps, hibernated: true };
  const at = choose(sleeps, wakes);
  return { at, hibernated: at !== wakes };
}
