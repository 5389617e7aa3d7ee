import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Place } from "../../support/place.ts";
import { run } from "./docker-place.ts";

interface Shown {
  readonly metadata: { readonly name: string };
  readonly status: {
    readonly phase: string;
    readonly conditions: readonly Readonly<Record<string, unknown>>[];
    readonly modifiers?: readonly string[];
    readonly nodes?: { readonly total: number; readonly ready: number };
    readonly allocations?: { readonly ports?: readonly { readonly hostPort: number }[] };
    readonly kubernetesVersion?: string;
  };
}

/** These catch what hangs: other suites need the processors, too. */
const PHASE_PATIENCE_MS = 300_000;
const NODES_PATIENCE_MS = 300_000;

/** One cluster, as its users meet it: through the command line, kubectl and its ports. */
export class ClusterOn {
  readonly #place: Place;
  readonly name: string;

  constructor(place: Place, name: string) {
    this.#place = place;
    this.name = name;
  }

  /** Without a process for every look: waits look twice a second. */
  async show(): Promise<Shown> {
    const { status, json } = await this.#place.ask("GET", `/api/v1/clusters/${this.name}`);
    if (status !== 200) throw new Error(`${this.name} was answered with ${status}: ${JSON.stringify(json)}`);
    return json as Shown;
  }

  async waitForPhase(phase: string, patienceMs = PHASE_PATIENCE_MS): Promise<Shown> {
    let seen = await this.show();
    await until(
      async () => {
        seen = await this.show();
        if (seen.status.phase === phase) return true;
        throw new Error(`It is ${seen.status.phase}: ${JSON.stringify(seen.status.conditions)}`);
      },
      `${this.name} to be ${phase}`,
      patienceMs,
    );
    return seen;
  }

  /** As a person does it: a kubeconfig that allows looking, and kubectl with it. */
  async kubectl(...args: readonly string[]): Promise<string> {
    return run("kubectl", "--kubeconfig", await this.#kubeconfig("viewer"), ...args);
  }

  /** With the administrator's kubeconfig, which is there as soon as the cluster is. */
  async kubectlAsAdmin(...args: readonly string[]): Promise<string> {
    return run("kubectl", "--kubeconfig", await this.#kubeconfig("admin"), ...args);
  }

  async applyAsAdmin(manifest: string): Promise<void> {
    const file = join(this.#place.folder, `${this.name}-manifest.json`);
    this.#place.write(`${this.name}-manifest.json`, manifest);
    await this.kubectlAsAdmin("apply", "-f", file);
  }

  async waitForNodes(count: number): Promise<void> {
    let kubeconfig = "";
    const countReady = async () => {
      kubeconfig ||= await this.#kubeconfig("admin");
      return run("kubectl", "--kubeconfig", kubeconfig, "get", "nodes", "--no-headers").match(/ Ready /g)?.length ?? 0;
    };
    const areReady = async () => {
      try {
        return (await countReady()) === count;
      } catch (error) {
        // A cluster that was made anew has others.
        kubeconfig = "";
        throw error;
      }
    };
    await until(areReady, `${count} nodes of ${this.name} to be Ready`, NODES_PATIENCE_MS);
  }

  /** What the web server says behind the first port that was published. */
  async askWeb(): Promise<string> {
    const port = (await this.show()).status.allocations?.ports?.[0]?.hostPort;
    const answer = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(5_000) });
    if (!answer.ok) throw new Error(`It answered ${answer.status}.`);
    return await answer.text();
  }

  async #kubeconfig(role: string): Promise<string> {
    const file = join(this.#place.folder, `${this.name}-${role}.kubeconfig`);
    await this.#place.must("kubeconfig", this.name, "--role", role, "--file", file);
    return file;
  }
}

const PATIENCE_MS = 240_000;

/** Asks twice a second. What throws is not so yet. */
export async function until(
  test: () => Promise<boolean> | boolean,
  what: string,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const end = performance.now() + patienceMs;
  let last: unknown = "";
  while (performance.now() < end) {
    try {
      if (await test()) return;
      last = "";
    } catch (error) {
      last = error;
    }
    await sleep(500);
  }
  throw new Error(`Waited in vain for ${what}. ${last instanceof Error ? last.message : String(last)}`);
}
