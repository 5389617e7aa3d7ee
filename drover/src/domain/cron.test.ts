import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lastTime, nextTime, parseCron } from "./cron.ts";

const next = (text: string, zone: string, after: string): string | null => {
  const cron = parseCron(text);
  const found = cron === null ? null : nextTime(cron, zone, Date.parse(after));
  return found === null ? null : new Date(found).toISOString();
};

describe("the next time of a schedule", () => {
  it.each([
    ["0 20 * * *", "UTC", "2026-11-15T19:59:59Z", "2026-11-15T20:00:00.000Z"],
    ["0 20 * * *", "UTC", "2026-11-15T20:00:00Z", "2026-11-16T20:00:00.000Z"],
    ["0 20 * * *", "Asia/Shanghai", "2026-11-15T12:00:00Z", "2026-11-16T12:00:00.000Z"],
    ["30 5 * * *", "Asia/Kathmandu", "2026-01-01T00:00:00Z", "2026-01-01T23:45:00.000Z"],
    ["0 7 * * 1-5", "UTC", "2026-11-13T07:00:00Z", "2026-11-16T07:00:00.000Z"],
    ["0 0 * * 7", "UTC", "2026-11-15T00:00:00Z", "2026-11-22T00:00:00.000Z"],
    ["*/20 8-9 * * *", "UTC", "2026-11-15T08:41:00Z", "2026-11-15T09:00:00.000Z"],
    ["5/20 8 * * *", "UTC", "2026-11-15T08:06:00Z", "2026-11-15T08:25:00.000Z"],
    ["0 0 29 2 *", "UTC", "2026-11-15T00:00:00Z", "2028-02-29T00:00:00.000Z"],
    ["0 0 13 * 5", "UTC", "2026-11-14T00:00:00Z", "2026-11-20T00:00:00.000Z"],
    ["0 0 1-7 * *", "UTC", "2026-11-08T00:00:00Z", "2026-12-01T00:00:00.000Z"],
  ])("%s in %s after %s is %s", (text, zone, after, expected) => {
    expect(next(text, zone, after)).toBe(expected);
  });

  it("comes after the clocks have skipped it, once", () => {
    // New York goes from 01:59 EST to 03:00 EDT on 8 March 2026.
    expect(next("30 2 * * *", "America/New_York", "2026-03-08T05:00:00Z")).toBe("2026-03-08T07:00:00.000Z");
    expect(next("30 2 * * *", "America/New_York", "2026-03-08T07:00:00Z")).toBe("2026-03-09T06:30:00.000Z");
  });

  it("comes the first time that the clocks show it, and not the second", () => {
    // New York goes from 01:59 EDT back to 01:00 EST on 1 November 2026.
    expect(next("30 1 * * *", "America/New_York", "2026-11-01T04:00:00Z")).toBe("2026-11-01T05:30:00.000Z");
    expect(next("30 1 * * *", "America/New_York", "2026-11-01T05:30:00Z")).toBe("2026-11-02T06:30:00.000Z");
  });

  it("is none for a day that never comes", () => {
    expect(next("0 0 30 2 *", "UTC", "2026-01-01T00:00:00Z")).toBeNull();
  });

  it("cannot be told in a zone that nobody knows", () => {
    expect(() => next("0 0 * * *", "Middle/Earth", "2026-01-01T00:00:00Z")).toThrow(RangeError);
  });
});

describe("parseCron", () => {
  it.each([
    "",
    "* * * *",
    "60 * * * *",
    "* 24 * * *",
    "* * 0 * *",
    "* * * 13 *",
    "* * * * 8",
    "5-1 * * * *",
    "a * * * *",
    "*/0 * * * *",
    "* * * * * *",
  ])("refuses %j", (text) => expect(parseCron(text)).toBeNull());
});

/** What the clocks of a zone show, minute by minute. */
function shows(zone: string, time: number): { minute: number; hour: number; date: number; month: number; day: number } {
  const local = new Date(new Date(time).toLocaleString("en-US", { timeZone: zone }));
  return {
    minute: local.getMinutes(),
    hour: local.getHours(),
    date: local.getDate(),
    month: local.getMonth() + 1,
    day: local.getDay(),
  };
}

describe("against looking at the clock every minute", () => {
  const zones = fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu");
  const fields = fc.tuple(
    fc.integer({ min: 0, max: 59 }),
    fc.integer({ min: 4, max: 23 }),
    fc.constantFrom("*", "1-5", "0,6"),
  );
  const moments = fc.integer({ min: Date.UTC(2026, 0, 1) / 60_000, max: Date.UTC(2027, 0, 1) / 60_000 });

  it("finds the same minute, away from the hours in which clocks are changed", () => {
    fc.assert(
      fc.property(fields, zones, moments, ([minute, hour, days], zone, start) => {
        const cron = parseCron(`${minute} ${hour} * * ${days}`);
        if (cron === null) throw new Error("It is no schedule.");
        const found = nextTime(cron, zone, start * 60_000);
        if (found === null) throw new Error("It never comes.");
        const seen = shows(zone, found);
        expect([seen.minute, seen.hour, cron.daysOfWeek.has(seen.day)]).toEqual([minute, hour, true]);
        for (let time = start + 1; time * 60_000 < found; time += 1) {
          const between = new Date(time * 60_000);
          // Offsets are multiples of five minutes: only these can show the minute.
          if ((between.getUTCMinutes() - minute) % 5 !== 0) continue;
          const shown = shows(zone, time * 60_000);
          expect(shown.minute === minute && shown.hour === hour && cron.daysOfWeek.has(shown.day)).toBe(false);
        }
        expect(lastTime(cron, zone, start * 60_000, found)).toBe(found);
        expect(lastTime(cron, zone, start * 60_000, found - 1)).toBeNull();
      }),
      { numRuns: 25 },
    );
  });

  it("goes back to the very time that it went forward to", () => {
    fc.assert(
      fc.property(
        fields,
        zones,
        moments,
        fc.integer({ min: 1, max: 40 }),
        ([minute, hour, days], zone, start, count) => {
          const cron = parseCron(`${minute} ${hour} * * ${days}`);
          if (cron === null) throw new Error("It is no schedule.");
          let time = start * 60_000;
          for (let index = 0; index < count; index += 1) time = nextTime(cron, zone, time) ?? time;
          expect(lastTime(cron, zone, start * 60_000, time + 1)).toBe(time);
        },
      ),
      { numRuns: 50 },
    );
  });
});
