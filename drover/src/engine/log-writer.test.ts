import { DroverError } from "@drover/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FakeEngineStore } from "../../test/fake-engine-store.ts";
import { SimulatedTime } from "../../test/simulated-time.ts";
import { SecretMask } from "../lib/mask-secrets.ts";
import { LogBudget } from "./log-budget.ts";
import type { LogTuning } from "./log-line.ts";
import { LogWriter } from "./log-writer.ts";
import { PlanStop } from "./plan-stop.ts";
import { LeaseLost } from "./stop-reasons.ts";

function openLog(tuning: Partial<LogTuning> = {}, budget = new LogBudget()) {
  const time = new SimulatedTime();
  const store = new FakeEngineStore(time);
  const stop = new PlanStop();
  const mask = new SecretMask();
  const append = (lines: Parameters<typeof store.jobs.appendLog>[1]) => store.jobs.appendLog(store.ref, lines);
  const writer = new LogWriter({ append, mask, stop, clock: time, timer: time, tuning, budget });
  return { time, store, stop, mask, writer, budget, texts: () => store.log.map(({ text }) => text) };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe("the log writer", () => {
  it("stores lines of all steps and streams in the order they came, with when and where", async () => {
    const { time, store, writer } = openLog();
    const [a, b] = [writer.open("a", "local"), writer.open("b", "node-1")];
    a.write("one", "stdout");
    await time.pass(1);
    b.write("two\nthree\n", "stderr");
    a.write("four", "drover");
    await time.run(writer.flush());
    expect(store.log).toEqual([
      { at: 1_000_000, stepId: "a", host: "local", stream: "stdout", text: "one" },
      { at: 1_000_001, stepId: "b", host: "node-1", stream: "stderr", text: "two" },
      { at: 1_000_001, stepId: "b", host: "node-1", stream: "stderr", text: "three" },
      { at: 1_000_001, stepId: "a", host: "local", stream: "drover", text: "four" },
    ]);
  });

  it("waits a little for company, but not for long", async () => {
    const { time, store, writer } = openLog({ lingerMs: 100 });
    const log = writer.open("a", "local");
    log.write("one", "stdout");
    await time.pass(99);
    log.write("two", "stdout");
    expect(store.logWrites).toEqual([]);
    await time.pass(1);
    expect(store.logWrites).toEqual([2]);
    expect(time.waiting).toBe(0);
  });

  it("writes at once when many lines have come, and larger pieces the further it is behind", async () => {
    const { time, store, writer } = openLog({ eagerLines: 10, batchLines: 40 });
    store.latencyMs = 50;
    const log = writer.open("a", "local");
    for (const number of numbers(10)) log.write(`${number}`, "stdout");
    await time.pass(1);
    for (const number of numbers(100)) log.write(`${number}`, "stdout");
    await time.run(writer.flush());
    expect(store.logWrites).toEqual([10, 40, 40, 20]);
  });

  it("cuts writes by their size too", async () => {
    const { time, store, writer } = openLog({ batchChars: 1_000 });
    const log = writer.open("a", "local");
    for (const _ of numbers(10)) log.write("x".repeat(436), "stdout");
    await time.run(writer.flush());
    expect(store.logWrites).toEqual([2, 2, 2, 2, 2]);
  });

  it("makes what programs write harmless", async () => {
    const { time, writer, texts } = openLog();
    writer.open("a", "local").write("\x1b[31mred\x1b[0m\tone\r\ntwo\0", "stdout");
    await time.run(writer.flush());
    expect(texts()).toEqual(["red\tone", "two"]);
  });

  it("cuts lines that are too long, never inside a character, and marks where", async () => {
    const { time, writer, texts } = openLog({ lineChars: 4 });
    const log = writer.open("a", "local");
    log.write("abcdefghij", "stdout");
    log.write("abc👍de", "stdout");
    log.write("abcd", "stdout");
    await time.run(writer.flush());
    expect(texts()).toEqual(["abcd…", "…efgh…", "…ij", "abc…", "…👍de", "abcd"]);
  });

  it("hides secrets that come in pieces, in lines, in colour, or across a cut", async () => {
    const { time, writer, mask, texts } = openLog({ lineChars: 8 });
    mask.add("hunter2-is-secret");
    const [a, b] = [writer.open("a", "local"), writer.open("b", "local")];
    a.write("hunter2", "stdout");
    b.write("-is-", "stdout");
    a.write("-is-\nsecret", "stdout");
    b.write("say hun\x1b[1mter2-is-secret n", "stdout");
    await time.run(writer.flush());
    expect(texts()).toEqual(["***", "-is-", "***", "***", "say ***…", "…***…", "…*** n"]);
  });

  it("shows what looks like the beginning of a secret once its step has ended", async () => {
    const { time, writer, mask, texts } = openLog();
    mask.add("hunter2");
    const log = writer.open("a", "local");
    log.write("a hunter", "stdout");
    log.close();
    await time.run(writer.flush());
    expect(texts()).toEqual(["a hunter"]);
  });

  it("never stores a secret, however it is split and whenever writes happen", async () => {
    const secrets = ["correct-horse-battery", "horse-battery-staple", "line one\nline two"];
    const texts = fc.array(fc.constantFrom(...secrets, "horse", "-battery", "correct", "line one", " ", "x"), {
      minLength: 1,
      maxLength: 8,
    });
    const script = fc.record({
      texts,
      cuts: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      pauses: fc.array(fc.boolean(), { minLength: 1 }),
    });
    await fc.assert(
      fc.asyncProperty(script, async ({ texts: parts, cuts, pauses }) => {
        const log = openLog();
        for (const secret of secrets) log.mask.add(secret);
        const step = log.writer.open("a", "local");
        const whole = parts.join("");
        for (let at = 0, index = 0; at < whole.length; index++) {
          const cut = cuts[index % cuts.length] ?? 1;
          step.write(whole.slice(at, at + cut), "stdout");
          at += cut;
          if (pauses[index % pauses.length]) await log.time.pass(200);
        }
        step.close();
        await log.time.run(log.writer.flush());
        const stored = log.texts().join("");
        for (const secret of secrets) expect(stored).not.toContain(secret.replace("\n", ""));
      }),
      { numRuns: 50 },
    );
  });

  it("keeps the beginning and the end of a step that writes too much", async () => {
    const { time, writer, texts } = openLog({ stepLines: 50 });
    const [loud, quiet] = [writer.open("loud", "local"), writer.open("quiet", "local")];
    for (const number of numbers(1_000)) loud.write(`line ${number}`, "stdout");
    quiet.write("still here", "stdout");
    loud.close();
    await time.run(writer.flush());
    expect(texts().slice(0, 50)).toEqual(numbers(50).map((number) => `line ${number}`));
    expect(texts()[50]).toBe("still here");
    expect(texts()[51]).toBe("… 850 lines left out");
    expect(texts().slice(52)).toEqual(numbers(100).map((number) => `line ${number + 900}`));
  });

  it("leaves out no line without saying so when few are over the cap", async () => {
    const { time, writer, texts } = openLog({ stepChars: 10 });
    const log = writer.open("a", "local");
    for (const number of numbers(6)) log.write(`line ${number}`, "stdout");
    log.close();
    await time.run(writer.flush());
    expect(texts()).toEqual(numbers(6).map((number) => `line ${number}`));
  });

  it("leaves lines out rather than growing without bound, says how many, and goes on in order", async () => {
    const { time, store, writer, budget, texts } = openLog({ stepLines: 1e6 }, new LogBudget(20_000));
    store.latencyMs = 1_000;
    const log = writer.open("a", "local");
    for (const number of numbers(5_000)) log.write(`line ${number}`, "stdout");
    expect(budget.used).toBeLessThan(21_000);
    await time.pass(5_000);
    log.write("afterwards", "stdout");
    log.close();
    await time.run(writer.flush());
    const marker = texts().findIndex((text) => text.startsWith("…"));
    const first = numbers(marker).map((number) => `line ${number}`);
    expect(texts().slice(0, marker)).toEqual(first);
    expect(texts()[marker]).toBe(`… ${5_000 - marker - 100} lines left out`);
    expect(texts().slice(marker + 1)).toEqual([
      ...numbers(100).map((number) => `line ${number + 4_900}`),
      "afterwards",
    ]);
    expect(budget.used).toBe(0);
  });

  it("knows the last lines of a step for its report", async () => {
    const { writer, mask } = openLog();
    mask.add("hunter2");
    const log = writer.open("a", "local");
    for (const number of numbers(100)) log.write(`line ${number} hunter2`, "stdout");
    expect(log.lastLines()).toHaveLength(20);
    expect(log.lastLines().at(-1)).toBe("line 99 ***");
  });

  it("keeps lines while the store is away, and stores each once", async () => {
    const { time, store, writer, texts } = openLog();
    store.failures.push(...numbers(5).map(() => new DroverError("store-unreachable", "It is away.")));
    const log = writer.open("a", "local");
    log.write("one", "stdout");
    await time.pass(150);
    log.write("two", "stdout");
    await time.run(writer.flush());
    expect(texts()).toEqual(["one", "two"]);
  });

  it("writes nothing any more once the lease is lost, and holds up nobody", async () => {
    const { time, store, writer, stop, budget } = openLog();
    const log = writer.open("a", "local");
    log.write("one", "stdout");
    stop.trip(new LeaseLost());
    log.write("two", "stdout");
    await time.run(writer.flush());
    await time.pass(1_000);
    expect(store.logWrites).toEqual([]);
    expect(budget.used).toBe(0);
  });

  it("stops the plan when the store says that another worker has the job", async () => {
    const { time, store, writer, stop } = openLog();
    store.token = 2;
    writer.open("a", "local").write("one", "stdout");
    await time.run(writer.flush());
    expect(stop.reason).toBeInstanceOf(LeaseLost);
  });

  it("stores a hundred thousand lines in order, many at a time and in flat memory", async () => {
    const time = new SimulatedTime();
    const mask = new SecretMask();
    for (const number of numbers(20)) mask.add(`secret number ${number} of many`);
    let next = 0;
    const stored = { inOrder: true, calls: 0 };
    const append = async (lines: readonly { text: string }[]): Promise<void> => {
      for (const { text } of lines) stored.inOrder &&= text === `line ${next++} of a very long log, with *** in it`;
      stored.calls += 1;
    };
    const budget = new LogBudget();
    const tuning = { stepLines: 1e7, stepChars: 1e9 };
    const writer = new LogWriter({ append, mask, stop: new PlanStop(), clock: time, timer: time, tuning, budget });
    const log = writer.open("a", "local");
    let waiting = 0;
    for (let from = 0; from < 100_000; from += 1_000) {
      for (let number = from; number < from + 1_000; number++) {
        log.write(`line ${number} of a very long log, with secret number ${number % 20} of many in it`, "stdout");
      }
      waiting = Math.max(waiting, budget.used);
      await time.settle();
    }
    await writer.flush();
    expect(next).toBe(100_000);
    expect(stored.inOrder).toBe(true);
    expect(waiting).toBeLessThan(1_000_000);
    // What has come in the meantime is written at once.
    expect(stored.calls).toBeLessThanOrEqual(1_000);
  });
});
