import type { PlanStep } from "../src/domain/plan.ts";
import type { Step, StepContext, StepRegistry } from "../src/ports/step.ts";
import { sleep, type Timer } from "../src/ports/timer.ts";

/**
 * What one call of `run` does, after its duration: what it should; nothing, yet says so (`lies`); throws before or
 * after the work; never ends until it is told to; never ends.
 */
export type FakeRun = "works" | "lies" | "throws" | "works and throws" | "hangs" | "ignores";

export interface FakeScript {
  readonly durationMs?: number;
  /** One per call; the last one repeats. */
  readonly runs?: readonly FakeRun[];
  /** Whether the precheck finds everything as wanted before anything ran. */
  readonly asWanted?: boolean;
  /** One per call; the last one repeats. */
  readonly undo?: readonly ("works" | "throws" | "ignores")[];
  /** Called within `run`, before anything else. */
  readonly act?: (context: StepContext) => void | Promise<void>;
  /** Comes to its end although it was told to stop. */
  readonly finishesAnyway?: boolean;
}

export interface FakeCall {
  readonly what: "precheck" | "run" | "verify" | "undo";
  readonly id: string;
  readonly at: number;
}

/** The world that fake steps change, and what they were called for. It outlives the engine, as worlds do. */
export class FakeWorld {
  readonly calls: FakeCall[] = [];
  readonly errors: unknown[] = [];
  /** The steps whose work is there. */
  readonly there = new Set<string>();
  /** The steps whose `run` is under way. */
  readonly running = new Set<string>();
  onRun: (id: string) => void = () => {};
  readonly #scripts: Readonly<Record<string, FakeScript>>;
  readonly #time: Timer & { now(): number };
  readonly #runs = new Map<string, number>();

  constructor(time: Timer & { now(): number }, scripts: Readonly<Record<string, FakeScript>> = {}) {
    this.#time = time;
    this.#scripts = scripts;
    for (const [id, { asWanted }] of Object.entries(scripts)) if (asWanted) this.there.add(id);
  }

  /** `fake` can be taken back where its script says how; `plain` never. */
  get registry(): StepRegistry {
    const plain: Step = {
      name: "plain",
      precheck: async ({ step }) => {
        this.#call("precheck", step.id);
        return this.there.has(step.id);
      },
      run: (context) => this.#run(context),
    };
    const fake: Step = {
      ...plain,
      name: "fake",
      verify: async ({ step }) => {
        this.#call("verify", step.id);
        return this.there.has(step.id);
      },
      undo: (context) => this.#undo(context),
    };
    return new Map([plain, fake].map((step) => [step.name, step]));
  }

  /** The ids of the steps that were called for something, in order. */
  called(what: FakeCall["what"]): readonly string[] {
    return this.calls.filter((call) => call.what === what).map(({ id }) => id);
  }

  async #run(context: StepContext): Promise<null> {
    const { id } = context.step;
    const script = this.#scripts[id] ?? {};
    const count = this.#runs.get(id) ?? 0;
    this.#runs.set(id, count + 1);
    const what = script.runs?.[Math.min(count, script.runs.length - 1)] ?? "works";
    this.#call("run", id);
    this.running.add(id);
    this.onRun(id);
    try {
      await this.#work(context, script, what);
      return null;
    } catch (error) {
      this.errors.push(error);
      throw error;
    } finally {
      this.running.delete(id);
    }
  }

  async #work(context: StepContext, script: FakeScript, what: FakeRun): Promise<void> {
    const { signal, step } = context;
    await script.act?.(context);
    if (what === "ignores") await new Promise(() => {});
    const duration = what === "hangs" ? 2 ** 40 : (script.durationMs ?? 10);
    await sleep(this.#time, duration, script.finishesAnyway ? undefined : signal);
    if (!script.finishesAnyway) signal.throwIfAborted();
    if (what === "throws") throw new Error(`${step.id} is broken`);
    if (what !== "lies") this.there.add(step.id);
    if (what === "works and throws") throw new Error(`${step.id} lost its connection`);
  }

  async #undo(context: StepContext): Promise<void> {
    const { id } = context.step;
    this.#call("undo", id);
    const script = this.#scripts[id]?.undo ?? ["works"];
    const how = script[Math.min(this.called("undo").filter((undone) => undone === id).length, script.length) - 1];
    if (how === "ignores") await new Promise(() => {});
    await sleep(this.#time, 10, context.signal);
    context.signal.throwIfAborted();
    if (how === "throws") throw new Error(`${id} stays`);
    this.there.delete(id);
  }

  #call(what: FakeCall["what"], id: string): void {
    this.calls.push({ what, id, at: this.#time.now() });
  }
}

/** A step of a plan, by its id and what it needs. */
export function fakeStep(id: string, needs: readonly string[] = [], rest: Partial<PlanStep> = {}): PlanStep {
  return {
    id,
    name: "fake",
    title: id,
    host: "local",
    module: "module",
    task: "task",
    needs,
    deadlineMs: 60_000,
    retry: { attempts: 1, baseMs: 1_000, capMs: 8_000 },
    input: {},
    changes: [],
    ...rest,
  };
}
