import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { Places } from "./places.ts";

it("never lets in more at once, and lets everybody in who does not give up", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.record({ turns: fc.nat(4), givesUp: fc.boolean(), fails: fc.boolean() }), { maxLength: 12 }),
      async (count, visitors) => {
        const places = new Places(count);
        let inside = 0;
        let most = 0;
        const outcomes = visitors.map(async ({ turns, givesUp, fails }) => {
          const controller = new AbortController();
          const visit = places.take(controller.signal, async () => {
            inside += 1;
            most = Math.max(most, inside);
            for (let at = 0; at < turns; at += 1) await turn();
            inside -= 1;
            if (fails) throw new Error("it failed");
          });
          if (givesUp) controller.abort(new Error("enough"));
          await visit;
        });
        const settled = await Promise.allSettled(outcomes);
        settled.forEach(({ status }, at) => {
          const visitor = visitors[at];
          if (visitor?.givesUp === false && !visitor.fails) expect(status).toBe("fulfilled");
        });
        expect(most).toBeLessThanOrEqual(count);
        await places.take(new AbortController().signal, async () => expect(inside).toBe(0));
      },
    ),
    { numRuns: 100 },
  );
});
