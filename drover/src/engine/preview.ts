import type { JobKind } from "@drover/contract";
import type { Plan, PlanStep } from "../domain/plan.ts";
import { SecretMask } from "../lib/mask-secrets.ts";
import type { Step, StepContext, StepRegistry } from "../ports/step.ts";
import type { ExternalObject } from "../ports/store/index.ts";
import type { Timer } from "../ports/timer.ts";
import { cleanMessage, messageOf } from "./describe-error.ts";

export interface PreviewOptions {
  readonly plan: Plan;
  readonly steps: StepRegistry;
  readonly cluster: StepContext["cluster"];
  readonly kind: JobKind;
  readonly timer: Timer;
  /** What the ledger knows of the cluster, for steps that look there; empty when left out. */
  readonly listObjects?: () => Promise<readonly ExternalObject[]>;
  /** How long a step may take to say what it would do. */
  readonly patienceMs?: number;
}

export interface PlanPreview {
  /** The very plan, with what each step would change in words. Its hash is the same. */
  readonly plan: Plan;
  /** The steps that could not say all of it beforehand, and why. */
  readonly unclear: readonly { readonly stepId: string; readonly reason: string }[];
}

/** Thrown into a step that wants more of a preview than to say what it would do. */
export class PreviewRefused extends Error {
  override readonly name = "PreviewRefused";

  constructor(what: string) {
    super(`A preview does not ${what}. Do it inside change(), or in precheck().`);
  }
}

const PATIENCE_MS = 5_000;

/**
 * Asks each step what it would do: its `run` is called, and what it passes to `change` is written down instead of
 * done. Everything else that could have an effect, or needs the target, is refused.
 */
export async function previewPlan(options: PreviewOptions): Promise<PlanPreview> {
  const previews = await Promise.all(options.plan.steps.map((step) => previewStep(step, options)));
  return {
    plan: { ...options.plan, steps: previews.map(({ step }) => step) },
    unclear: previews.flatMap(({ step, reason }) => (reason === null ? [] : [{ stepId: step.id, reason }])),
  };
}

async function previewStep(
  step: PlanStep,
  options: PreviewOptions,
): Promise<{ readonly step: PlanStep; readonly reason: string | null }> {
  const definition = options.steps.get(step.name);
  if (definition === undefined) return { step, reason: `This program does not know the step ${step.name}.` };
  const said: string[] = [];
  const mask = new SecretMask();
  const reason = await listen(definition, options, (signal) => previewContext(step, options, { said, mask, signal }));
  const changes = said.map((text) => cleanMessage(text, mask));
  return {
    step: changes.length === 0 ? step : { ...step, changes },
    reason: reason === null ? null : cleanMessage(reason, mask),
  };
}

/** Null when the step came to its end; else what kept it from that. */
async function listen(
  definition: Step,
  { timer, patienceMs = PATIENCE_MS }: PreviewOptions,
  createContext: (signal: AbortSignal) => StepContext,
): Promise<string | null> {
  const controller = new AbortController();
  let callOff = (): void => {};
  const tooLong = new Promise<never>((_, reject) => {
    callOff = timer.after(patienceMs, () => {
      reject(new Error(`It did not say what it would do within ${patienceMs / 1000} s.`));
    });
  });
  try {
    await Promise.race([run(definition, createContext(controller.signal)), tooLong]);
    return null;
  } catch (thrown) {
    return messageOf(thrown);
  } finally {
    callOff();
    controller.abort(new PreviewRefused("go on after it has ended"));
  }
}

const run = async (definition: Step, context: StepContext): Promise<void> => {
  await definition.run(context);
};

function previewContext(
  step: PlanStep,
  options: PreviewOptions,
  { said, mask, signal }: { said: string[]; mask: SecretMask; signal: AbortSignal },
): StepContext {
  const refuse = (what: string) => (): Promise<never> => Promise.reject(new PreviewRefused(what));
  return {
    cluster: options.cluster,
    job: { id: "preview", kind: options.kind, attempt: 0, worker: "" },
    step,
    signal,
    idempotencyKey: `preview/${step.id}`,
    fencingToken: 0,
    log: () => {},
    mask: (secret) => mask.add(secret),
    progress: () => {},
    change: async (host, text) => {
      signal.throwIfAborted();
      said.push(host === step.host ? text : `${host}: ${text}`);
    },
    connect: refuse("connect to hosts"),
    readSecret: refuse("read secrets"),
    keepSecret: refuse("keep secrets"),
    ledger: {
      intend: refuse("write to the ledger"),
      present: refuse("write to the ledger"),
      gone: refuse("write to the ledger"),
      list: options.listObjects ?? (async () => []),
    },
    kubeconfigs: {
      keep: refuse("keep kubeconfigs"),
      revoked: refuse("revoke kubeconfigs"),
    },
    backups: {
      list: async () => [],
      keep: refuse("keep backups"),
      drilled: refuse("record drills"),
      forget: refuse("forget backups"),
    },
    allocations: {
      list: async () => [],
      reserve: refuse("reserve anything"),
      keepOnly: refuse("give anything back"),
    },
  };
}
