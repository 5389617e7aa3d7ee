import { describe, expect, it } from "vitest";
import { Wakeable } from "./wakeable.ts";

const never = new AbortController().signal;

describe("a wakeable", () => {
  it("answers a wait when it is called", async () => {
    const wakeable = new Wakeable();
    const waiting = wakeable.wait(never);
    wakeable.wake();
    await expect(waiting).resolves.toBeUndefined();
  });

  it("remembers one call that came while nobody waited, not two", async () => {
    const wakeable = new Wakeable();
    wakeable.wake();
    wakeable.wake();
    await wakeable.wait(never);
    const over = new AbortController();
    let answered = false;
    const second = wakeable.wait(over.signal).then(() => {
      answered = true;
    });
    await Promise.resolve();
    expect(answered).toBe(false);
    over.abort();
    await second;
  });

  it("does not spend a call on a wait that was given up", async () => {
    const wakeable = new Wakeable();
    const over = new AbortController();
    const given = wakeable.wait(over.signal);
    over.abort();
    await given;
    wakeable.wake();
    await expect(wakeable.wait(never)).resolves.toBeUndefined();
  });
});
