import { describe, expect, it } from "vitest";
import { lastSwitch, nextSwitch } from "./hibernation-schedule.ts";

const nights = { hibernate: "0 20 * * 1-5", wake: "0 7 * * 1-5", timezone: "Asia/Shanghai" };
const at = (text: string) => Date.parse(`${text}+08:00`);

describe("a schedule of nights and days", () => {
  it("says what comes next", () => {
    expect(nextSwitch(nights, at("2026-11-16T12:00"))).toEqual({ at: at("2026-11-16T20:00"), hibernated: true });
    expect(nextSwitch(nights, at("2026-11-16T20:00"))).toEqual({ at: at("2026-11-17T07:00"), hibernated: false });
    expect(nextSwitch(nights, at("2026-11-13T20:00"))).toEqual({ at: at("2026-11-16T07:00"), hibernated: false });
  });

  it("says only the last of what was missed", () => {
    const from = at("2026-11-16T20:00") - 1;
    expect(lastSwitch(nights, from, at("2026-11-18T12:00"))).toEqual({ at: at("2026-11-18T07:00"), hibernated: false });
    expect(lastSwitch(nights, from, at("2026-11-18T21:00"))).toEqual({ at: at("2026-11-18T20:00"), hibernated: true });
    expect(lastSwitch(nights, from, at("2026-11-16T19:00"))).toBeNull();
  });

  it("may never wake, is awake where both are due, and says nothing in a zone that nobody knows", () => {
    const { wake: _, ...sleepsOnly } = nights;
    expect(nextSwitch(sleepsOnly, at("2026-11-16T20:00"))).toEqual({ at: at("2026-11-17T20:00"), hibernated: true });
    const both = { ...nights, wake: nights.hibernate };
    expect(nextSwitch(both, at("2026-11-16T12:00"))).toMatchObject({ hibernated: false });
    expect(lastSwitch(both, at("2026-11-16T12:00"), at("2026-11-16T20:00"))).toMatchObject({ hibernated: false });
    expect(nextSwitch({ ...nights, timezone: "Middle/Earth" }, 0)).toBeNull();
  });
});
