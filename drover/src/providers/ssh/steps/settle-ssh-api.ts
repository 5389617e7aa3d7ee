import { DroverError } from "@drover/contract";
import { textAt } from "../../../domain/json-fields.ts";
import { KubernetesError } from "../../../ports/kubernetes-api.ts";
import type { Step, StepContext } from "../../../ports/step.ts";
import { sleep } from "../../../ports/timer.ts";
import { isK3s } from "../declared.ts";
import type { SshHost } from "../host.ts";
import { K3S_KUBECTL } from "../k3s/k3s-paths.ts";
import { KUBECTL, WATCHERS_NOTE } from "../machine-paths.ts";
import { COUNT_WATCHERS } from "../scripts/count-watchers.ts";
import { machineOf, putText, runScript } from "./on-machine.ts";

const PAUSE_MS = 1_000;
/**
 * All in looks, a second apart. A kubelet that was started anew restarts what it finds different within seconds, after it
 * has said that it is ready.
 */
const STEADY = 10;
/** Who leads renews every two seconds. */
const RENEWED = 6;
/** Clients ask again after pauses of up to a minute; who is not back after two will not come, and is not waited for. */
const PATIENCE = 120;

const LEADERS = ["kube-controller-manager", "kube-scheduler"];

/** Notes how many watch the only API server before it goes away, so that `settle-ssh-api` knows when all are back. */
export function noteSshWatchers(): Step {
  return {
    name: "note-ssh-watchers",
    precheck: async (context) => (await readNote(context)) !== null,
    run: (context) =>
      context.change(context.step.host, `Note how many watch the API server of ${context.step.host}`, async () => {
        const watchers = await countWatchers(context);
        if (watchers === null) {
          const text = `The API server of ${context.step.host} does not say who watches it.`;
          throw new DroverError("cluster-not-ready", text);
        }
        await putText(await machineOf(context), WATCHERS_NOTE, `${context.job.id} ${watchers.join(" ")}\n`);
      }),
  };
}

/**
 * Waits after an API server was away until nodes may be drained: the controllers are at work, without which nobody hears
 * of pods that leave; and where it is the only one, all who watched it before watch it again, as nodes that do not send
 * requests to pods that have left.
 */
export function settleSshApi(host: SshHost): Step {
  return {
    name: "settle-ssh-api",
    light: true,
    precheck: async () => false,
    run: (context) => {
      const text = "Wait until nodes can be drained without a request being lost";
      return context.change(context.step.host, text, () => settle(host, context));
    },
    verify: async () => true,
  };
}

async function settle(host: SshHost, context: StepContext): Promise<void> {
  const leaders = isK3s(context.cluster.spec) ? [] : LEADERS.map((name) => new LeaderWatch(host, context, name));
  const before = await readNote(context);
  let [said, led, steady] = ["", 0, 0];
  for (;;) {
    const missing = await firstOf(leaders.map((leader) => leader.findMissing()));
    led = missing === null ? led + 1 : 0;
    const absent = missing === null && before !== null ? await findAbsent(context, before) : null;
    const problem = missing ?? (led > PATIENCE ? null : absent);
    if (problem !== null && problem !== said) context.log(problem);
    said = problem ?? "";
    steady = problem === null ? steady + 1 : 0;
    if (steady > STEADY) {
      if (absent !== null) context.log("The others are not waited for any longer.");
      return;
    }
    await sleep(host.parts.timer, PAUSE_MS, context.signal);
    context.signal.throwIfAborted();
  }
}

async function firstOf(answers: readonly Promise<string | null>[]): Promise<string | null> {
  return (await Promise.all(answers)).find((answer) => answer !== null) ?? null;
}

/** Whether somebody leads, seen by the lease that is renewed: no clock has to agree with another. */
class LeaderWatch {
  readonly #host: SshHost;
  readonly #context: StepContext;
  readonly #name: string;
  #renewTime: string | null = null;
  /** The first renewal that is met may be of long ago. */
  #looksSince = RENEWED;

  constructor(host: SshHost, context: StepContext, name: string) {
    this.#host = host;
    this.#context = context;
    this.#name = name;
  }

  async findMissing(): Promise<string | null> {
    const { cluster, signal } = this.#context;
    const path = `/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/${this.#name}`;
    try {
      const target = await this.#host.target(cluster, signal);
      if (target === null) return "No control plane answers yet.";
      const lease = await this.#host.parts.kubernetes.get(target, path, signal);
      // Nobody contends where there is only ever one.
      if (lease === null) return null;
      const renewTime = textAt(lease, "spec", "renewTime");
      this.#looksSince = this.#renewTime === null || this.#renewTime === renewTime ? this.#looksSince + 1 : 0;
      this.#renewTime = renewTime;
      return this.#looksSince < RENEWED ? null : `No ${this.#name} is at work yet.`;
    } catch (error) {
      if (!(error instanceof KubernetesError)) throw error;
      return error.message;
    }
  }
}

type Watchers = readonly [pods: number, slices: number];

/** Nothing where nobody answers. */
async function countWatchers(context: StepContext): Promise<Watchers | null> {
  const kubectl = isK3s(context.cluster.spec) ? K3S_KUBECTL : KUBECTL;
  const counted = (await runScript(context, COUNT_WATCHERS, ...kubectl)).trim();
  if (counted === "") return null;
  const [pods = 0, slices = 0] = counted.split(" ").map(Number);
  return [pods, slices];
}

async function findAbsent(context: StepContext, [pods, slices]: Watchers): Promise<string | null> {
  const [podsNow, slicesNow] = (await countWatchers(context)) ?? [0, 0];
  if (podsNow >= pods && slicesNow >= slices) return null;
  return `${podsNow} of ${pods} clients watch pods again, ${slicesNow} of ${slices} watch endpoints.`;
}

/** That of this job: in a retry, fewer may be there when it begins than before the first attempt. */
async function readNote(context: StepContext): Promise<Watchers | null> {
  const machine = await machineOf(context);
  const { stdout } = await machine.run({ argv: ["cat", WATCHERS_NOTE] }, { signal: context.signal });
  const [job, pods, slices] = stdout.trim().split(" ");
  return job === context.job.id ? [Number(pods), Number(slices)] : null;
}
