import { expect, it } from "vitest";
import { nextDelay, takeAnswer, UNKNOWN_STATUS } from "./server-status.ts";

const good = { ok: true, version: "1.2.3", ready: true, detail: undefined } as const;
const bad = { ok: false, cause: { kind: "network" } } as const;

it("tells ready from not ready", () => {
  expect(takeAnswer(UNKNOWN_STATUS, good, 5)).toMatchObject({ state: "ready", version: "1.2.3", seenAt: 5 });
  const locked = takeAnswer(UNKNOWN_STATUS, { ...good, ready: false, detail: "locked" }, 5);
  expect(locked).toMatchObject({ state: "not-ready", detail: "locked", seenAt: 5 });
});

it("keeps what was seen when the server goes away, and forgets the trouble when it is back", () => {
  const away = takeAnswer(takeAnswer(UNKNOWN_STATUS, good, 5), bad, 9);
  expect(away).toMatchObject({ state: "unreachable", version: "1.2.3", seenAt: 5, failures: 1, cause: bad.cause });
  expect(takeAnswer(away, good, 12)).toEqual({
    state: "ready",
    version: "1.2.3",
    detail: undefined,
    cause: undefined,
    seenAt: 12,
    failures: 0,
  });
});

it("asks calmly while all is well, sooner after a failure, and ever later up to a cap", () => {
  const failing = (failures: number) => nextDelay({ ...UNKNOWN_STATUS, failures }, 1);
  expect(failing(0)).toBe(10_000);
  expect([1, 2, 3, 4, 5, 60].map(failing)).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  expect(nextDelay({ ...UNKNOWN_STATUS, failures: 3 }, 0)).toBe(4_000);
});
