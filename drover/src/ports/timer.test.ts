import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sleep, systemTimer } from "./timer.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("systemTimer", () => {
  it("calls back once, and not after it was called off", () => {
    const rung = vi.fn();
    systemTimer.after(10, rung);
    const callOff = systemTimer.after(10, rung);
    callOff();
    vi.advanceTimersByTime(9);
    expect(rung).not.toHaveBeenCalled();
    vi.advanceTimersByTime(100);
    expect(rung).toHaveBeenCalledTimes(1);
  });

  it("waits longer than one timer of Node.js can, and can be called off then too", () => {
    const rung = vi.fn();
    const month = 30 * 24 * 3_600_000;
    systemTimer.after(month, rung);
    const callOff = systemTimer.after(month, rung);
    vi.advanceTimersByTime(month - 1);
    expect(rung).not.toHaveBeenCalled();
    callOff();
    vi.advanceTimersByTime(1);
    expect(rung).toHaveBeenCalledTimes(1);
  });
});

describe("sleep", () => {
  it("ends when the time is over and leaves no listener on the signal", async () => {
    const { signal } = new AbortController();
    const removed = vi.spyOn(signal, "removeEventListener");
    const slept = sleep(systemTimer, 50, signal);
    await vi.advanceTimersByTimeAsync(50);
    await slept;
    expect(removed).toHaveBeenCalledTimes(1);
  });

  it("ends at once when the signal fires, or had fired, and leaves no timer", async () => {
    const controller = new AbortController();
    const slept = sleep(systemTimer, 50, controller.signal);
    controller.abort();
    await slept;
    await sleep(systemTimer, 50, controller.signal);
    expect(vi.getTimerCount()).toBe(0);
  });
});
