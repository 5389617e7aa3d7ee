import fc from "fast-check";
import { describe, expect } from "vitest";
import { declareAndClaim, type StoreSubject, storeTest, takeOver } from "./world.conformance.ts";

const line = (text: string) => ({ stepId: "a", host: "local", stream: "stdout", text }) as const;
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => line(`line ${from + index}`));

export function describeLog(subject: StoreSubject): void {
  const it = storeTest(subject);

  it("numbers lines without gaps across calls and attempts", async ({ world }) => {
    const { store } = world;
    const { ref } = await declareAndClaim(store);
    expect(await store.read.lastLogLine(ref.jobId)).toBe(0);
    expect(await store.read.readLog({ jobId: ref.jobId, from: 1, limit: 10 })).toEqual([]);
    expect(await store.jobs.appendLog(ref, numbered(1, 3))).toBe(3);
    expect(await store.jobs.appendLog(ref, [])).toBe(3);
    expect(await store.jobs.appendLog(ref, numbered(4, 4))).toBe(4);
    const taken = await takeOver(world, ref);
    expect(await store.jobs.appendLog(taken.ref, numbered(5, 9))).toBe(9);
    expect(await store.read.lastLogLine(ref.jobId)).toBe(9);
    const lines = await store.read.readLog({ jobId: ref.jobId, from: 1, limit: 100 });
    expect(lines.map(({ line: number, text }) => [number, text])).toEqual(
      numbered(1, 9).map(({ text }, index) => [index + 1, text]),
    );
  });

  it("keeps step, host, stream, time and every character of a line", async ({ world: { store } }) => {
    const { ref } = await declareAndClaim(store);
    const text = "tab\t nul\u0000 half\ud800 sep\u2028 \u001b[31mred\u001b[0m 集群 🚜 \\ ' \" %_";
    const before = Date.now();
    await store.jobs.appendLog(ref, [{ stepId: "s1", host: "h9", stream: "stderr", text, at: 123 }, line("")]);
    const [first, second] = await store.read.readLog({ jobId: ref.jobId, from: 1, limit: 10 });
    expect(first).toEqual({ line: 1, at: 123, stepId: "s1", host: "h9", stream: "stderr", text });
    expect(second?.text).toBe("");
    expect(second?.at).toBeGreaterThanOrEqual(before);
    expect(second?.at).toBeLessThanOrEqual(Date.now());
  });

  it("is read from any line on, whatever the sizes of what was appended", async ({ world: { store } }) => {
    const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 130 });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(), fc.integer({ min: 1, max: 300 }), async (chunks, where, limit) => {
        const { ref } = await declareAndClaim(store, `dev-${++round}`);
        let last = 0;
        for (const size of chunks) last = await store.jobs.appendLog(ref, numbered(last + 1, last + size));
        const from = 1 + (where % (last + 2));
        const expected = numbered(1, last).slice(from - 1, from - 1 + limit);
        const lines = await store.read.readLog({ jobId: ref.jobId, from, limit });
        expect(lines.map(({ text }) => text)).toEqual(expected.map(({ text }) => text));
        expect(lines.map((read) => read.line)).toEqual(expected.map((_, index) => from + index));
      }),
      { numRuns: 6 },
    );
  });

  it("belongs to one job", async ({ world: { store } }) => {
    const a = await declareAndClaim(store, "a");
    const b = await declareAndClaim(store, "b");
    await store.jobs.appendLog(a.ref, numbered(1, 3));
    expect(await store.jobs.appendLog(b.ref, [line("other")])).toBe(1);
    expect(await store.read.readLog({ jobId: b.job.id, from: 1, limit: 9 })).toMatchObject([
      { line: 1, text: "other" },
    ]);
  });

  it("takes lines that are appended at the same moment, each once", async ({ world: { store } }) => {
    const { ref } = await declareAndClaim(store);
    const calls = Array.from({ length: 25 }, (_, call) =>
      store.jobs.appendLog(ref, [line(`${call}a`), line(`${call}b`)]),
    );
    expect((await Promise.all(calls)).sort((a, b) => a - b)).toEqual(calls.map((_, index) => 2 * (index + 1)));
    const lines = await store.read.readLog({ jobId: ref.jobId, from: 1, limit: 100 });
    expect(lines.map((read) => read.line)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    expect(new Set(lines.map(({ text }) => text)).size).toBe(50);
    for (const index of lines.keys()) {
      if (index % 2 === 0) expect(lines[index + 1]?.text).toBe(lines[index]?.text.replace("a", "b"));
    }
  });

  describe("searching", () => {
    it("finds every line that holds the text, in any case, and counts beyond the limit", async ({
      world: { store },
    }) => {
      const { ref } = await declareAndClaim(store);
      for (let chunk = 0; chunk < 120; chunk++) {
        await store.jobs.appendLog(ref, [line(`quiet ${chunk}`), line(`An ERROR ${chunk}`)]);
      }
      const all = await store.read.searchLog({ jobId: ref.jobId, text: "eRRor", limit: 1_000 });
      expect(all.total).toBe(120);
      expect(all.lines.map((found) => found.line)).toEqual(Array.from({ length: 120 }, (_, index) => 2 * (index + 1)));
      const some = await store.read.searchLog({ jobId: ref.jobId, text: "error", limit: 3 });
      expect([some.total, some.lines.map((found) => found.line)]).toEqual([120, [2, 4, 6]]);
    });

    it("takes the text as it is, not as a pattern", async ({ world: { store } }) => {
      const { ref } = await declareAndClaim(store);
      await store.jobs.appendLog(ref, ["100%", "100 of 100", "a_b", "axb", "[x]", '","', "c:\\dir"].map(line));
      const find = async (text: string) => {
        const { total, lines } = await store.read.searchLog({ jobId: ref.jobId, text, limit: 10 });
        return [total, ...lines.map((found) => found.text)];
      };
      expect(await find("0%")).toEqual([1, "100%"]);
      expect(await find("a_b")).toEqual([1, "a_b"]);
      expect(await find("[x]")).toEqual([1, "[x]"]);
      expect(await find('","')).toEqual([1, '","']);
      expect(await find("\\DIR")).toEqual([1, "c:\\dir"]);
      expect(await find("stdout")).toEqual([0]);
      expect(await find("absent")).toEqual([0]);
    });
  });
}
