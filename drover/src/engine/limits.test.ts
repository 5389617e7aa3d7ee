import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLimits, type LimitOptions, type Limits, type Release, type SlotRequest } from "./limits.ts";

const options = (rest: Partial<LimitOptions> = {}): LimitOptions => ({
  global: 99,
  perHost: 99,
  perProvider: 99,
  ...rest,
});
const request = (rest: Partial<SlotRequest> = {}): SlotRequest => ({
  owner: "job",
  host: "local",
  provider: "kind",
  light: false,
  priority: 0,
  ...rest,
});

/** Asks for a slot and notes when it is granted, under a name. */
function ask(
  limits: Limits,
  granted: string[],
  name: string,
  rest: Partial<SlotRequest> = {},
): { release?: Release; withdraw: () => void } {
  const slot: { release?: Release; withdraw: () => void } = { withdraw: () => {} };
  slot.withdraw = limits.ask(request(rest), (release) => {
    granted.push(name);
    slot.release = release;
  });
  return slot;
}

describe("limits", () => {
  it("grants as many slots as there are, and the next when one comes back", () => {
    const limits = createLimits(options({ global: 2 }));
    const granted: string[] = [];
    const first = ask(limits, granted, "a");
    ask(limits, granted, "b");
    ask(limits, granted, "c");
    expect(granted).toEqual(["a", "b"]);
    first.release?.();
    first.release?.();
    ask(limits, granted, "d");
    expect(granted).toEqual(["a", "b", "c"]);
  });

  it("counts each host and each provider for itself", () => {
    const limits = createLimits(options({ perHost: 1, hosts: { big: 2 }, perProvider: 3, providers: { k3d: 1 } }));
    const granted: string[] = [];
    for (const name of ["a1", "a2"]) ask(limits, granted, name, { host: "a" });
    for (const name of ["big1", "big2", "big3"]) ask(limits, granted, name, { host: "big" });
    for (const name of ["k1", "k2"]) ask(limits, granted, name, { host: name, provider: "k3d" });
    expect(granted).toEqual(["a1", "big1", "big2", "k1"]);
  });

  it("counts light ones for the process only, so that what was begun is finished before more is begun", () => {
    const limits = createLimits(options({ global: 3, perHost: 1, perProvider: 1 }));
    const granted: string[] = [];
    const first = ask(limits, granted, "a creates", { owner: "a" });
    const second = ask(limits, granted, "b creates", { owner: "b" });
    first.release?.();
    const light = ["a waits", "c asks", "d asks"].map((name) => ask(limits, granted, name, { light: true }));
    expect(granted).toEqual(["a creates", "b creates", "a waits", "c asks"]);
    ask(limits, granted, "e creates", { owner: "e" });
    light[0]?.release?.();
    expect(granted).toEqual(["a creates", "b creates", "a waits", "c asks", "d asks"]);
    second.release?.();
    expect(granted.at(-1)).toBe("e creates");
  });

  it("lets those pass who can go, without losing the place of those who cannot", () => {
    const limits = createLimits(options({ global: 2, perHost: 1 }));
    const granted: string[] = [];
    const first = ask(limits, granted, "a1", { host: "a" });
    ask(limits, granted, "a2", { host: "a" });
    ask(limits, granted, "b1", { host: "b" });
    expect(granted).toEqual(["a1", "b1"]);
    first.release?.();
    expect(granted).toEqual(["a1", "b1", "a2"]);
  });

  it("takes turns among owners, however much one of them asks for", () => {
    const limits = createLimits(options({ global: 1 }));
    const granted: string[] = [];
    const slots = ["big1", "big2", "big3"].map((name) => ask(limits, granted, name, { owner: "big" }));
    slots.push(ask(limits, granted, "small1", { owner: "small" }));
    for (let turn = 0; turn < 4; turn++) {
      for (const slot of slots) slot.release?.();
    }
    expect(granted).toEqual(["big1", "big2", "small1", "big3"]);
  });

  it("prefers the greater priority within an owner, then the older request", () => {
    const limits = createLimits(options({ global: 1 }));
    const granted: string[] = [];
    const slots = [ask(limits, granted, "now")];
    slots.push(ask(limits, granted, "low", { priority: 1 }), ask(limits, granted, "high", { priority: 9, host: "b" }));
    slots.push(ask(limits, granted, "high, later", { priority: 9 }));
    for (let turn = 0; turn < 4; turn++) {
      for (const slot of slots) slot.release?.();
    }
    expect(granted).toEqual(["now", "high", "high, later", "low"]);
  });

  it("gives the place of a request that was withdrawn to the next", () => {
    const limits = createLimits(options({ global: 1 }));
    const granted: string[] = [];
    const first = ask(limits, granted, "a");
    const second = ask(limits, granted, "b", { priority: 5 });
    const other = ask(limits, granted, "c", { owner: "other" });
    ask(limits, granted, "d");
    for (const { withdraw } of [second, second, other]) withdraw();
    first.release?.();
    expect(granted).toEqual(["a", "d"]);
  });

  it("takes host names that are also words of JavaScript for names", () => {
    const granted: string[] = [];
    const limits = createLimits(options({ perHost: 1, hosts: { a: 1 } }));
    ask(limits, granted, "a", { host: "constructor", provider: "__proto__" });
    expect(granted).toEqual(["a"]);
  });

  it("refuses limits that would never let a step run", () => {
    expect(() => createLimits(options({ global: 0 }))).toThrow("at least 1");
    expect(() => createLimits(options({ hosts: { a: Number.NaN } }))).toThrow("at least 1");
  });

  it("never exceeds a limit, never idles while somebody could go, and forgets nobody", () => {
    const requests = fc.record({
      owner: fc.constantFrom("x", "y", "z"),
      host: fc.constantFrom("a", "b", "c"),
      provider: fc.constantFrom("kind", "ssh"),
      light: fc.boolean(),
      priority: fc.nat(3),
    });
    const limit = fc.integer({ min: 1, max: 4 });
    const settings = fc.record({ global: limit, perHost: limit, perProvider: limit });
    fc.assert(
      fc.property(settings, fc.array(requests, { maxLength: 30 }), fc.infiniteStream(fc.nat()), (some, asked, pick) => {
        const limits = createLimits(some);
        const held: { request: SlotRequest; release: Release }[] = [];
        let waiting = asked.length;
        for (const one of asked) {
          limits.ask(one, (release) => {
            waiting -= 1;
            held.push({ request: one, release });
          });
        }
        for (;;) {
          const heavy = held.filter(({ request: { light } }) => !light);
          const onHost = count(heavy.map(({ request: { host } }) => host));
          const forProvider = count(heavy.map(({ request: { provider } }) => provider));
          expect(held.length).toBeLessThanOrEqual(some.global);
          expect(Math.max(0, ...onHost.values())).toBeLessThanOrEqual(some.perHost);
          expect(Math.max(0, ...forProvider.values())).toBeLessThanOrEqual(some.perProvider);
          if (held.length === 0) break;
          held.splice(pick.next().value % held.length, 1)[0]?.release();
        }
        expect(waiting).toBe(0);
      }),
    );
  });
});

function count(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
