import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { ClusterOn, until } from "../../docker/support/cluster.ts";
import { run } from "../../docker/support/docker-place.ts";
import type { Place } from "../../support/place.ts";
import { describePhases, isFinished, newestJob, type SeenJob } from "./jobs.ts";
import { closeConnections, listAll, type Machine, makeMachinesPlace } from "./machines.ts";

interface ShownBackup {
  readonly id: string;
  readonly objects: Readonly<Record<string, number>>;
  readonly drill: { readonly passed: boolean; readonly message: string } | null;
}

interface ShownCertificate {
  readonly node: string;
  readonly name: string;
  readonly serial: string;
  readonly authority: boolean;
}

const JOB_PATIENCE_MS = 900_000;
const SETTLE_PATIENCE_MS = 300_000;

/** For all tests of a file: a Drover of their own, and a cluster of that name on these machines. */
export function useMachines(name: string, machines: readonly Machine[]): World {
  const world = new World(name, machines);
  beforeAll(() => world.open());
  afterAll(() => world.close());
  return world;
}

export class World {
  readonly name: string;
  readonly #machines: readonly Machine[];
  #place: Place | null = null;
  #before: ReadonlyMap<Machine, readonly string[]> = new Map();

  constructor(name: string, machines: readonly Machine[]) {
    this.name = name;
    this.#machines = machines;
  }

  async open(): Promise<void> {
    this.#before = new Map(
      await Promise.all(this.#machines.map(async (machine) => [machine, await listAll(machine)] as const)),
    );
    this.#place = await makeMachinesPlace();
  }

  async close(): Promise<void> {
    await this.#place?.dispose();
    closeConnections();
  }

  get place(): Place {
    if (this.#place === null) throw new Error("There is no Drover yet.");
    return this.#place;
  }

  get cluster(): ClusterOn {
    return new ClusterOn(this.place, this.name);
  }

  /** Says it, and does not wait for it. */
  async declare(document: string): Promise<void> {
    this.place.write(`${this.name}.json`, document);
    await this.place.must("apply", "-f", `${this.name}.json`, "--consent");
  }

  /** Says it, and waits until it is so. */
  async make(document: string): Promise<void> {
    this.place.write(`${this.name}.json`, document);
    await this.timed("apply", "-f", `${this.name}.json`, "--consent", "--wait");
  }

  /** A command that waits for its job; tells how long it and the phases of the job took. */
  async timed(...args: readonly string[]): Promise<void> {
    const began = performance.now();
    await this.place.must(...args);
    process.stdout.write(`${args.join(" ")}: ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
    const job = await this.newestJob();
    if (job !== null) process.stdout.write(`  ${describePhases(job)}\n`);
  }

  async kill(): Promise<void> {
    process.kill(this.place.pid, "SIGKILL");
    await this.place.must("up", "--detach");
  }

  async newestJob(): Promise<SeenJob | null> {
    return await newestJob(this.place, this.name);
  }

  /** The newest job, once it is as asked for. */
  async waitForJob(isWanted: (job: SeenJob) => boolean, what: string): Promise<SeenJob> {
    let seen: SeenJob | null = null;
    const isThere = async () => {
      seen = await this.newestJob();
      return seen !== null && isWanted(seen);
    };
    await until(isThere, `${what} of ${this.name}`, JOB_PATIENCE_MS);
    return seen as unknown as SeenJob;
  }

  /** Once that share of the steps of such a job is done. */
  async waitForShare(kind: string, share: number): Promise<SeenJob> {
    const isThere = ({ kind: seen, steps }: SeenJob) =>
      seen === kind && steps.length > 0 && steps.filter(isFinished).length >= Math.floor(share * steps.length);
    return await this.waitForJob(isThere, `${Math.round(share * 100)} % of the ${kind}`);
  }

  async settle(nodes = this.#machines.length): Promise<void> {
    await this.cluster.waitForNodes(nodes);
    await this.cluster.waitForPhase("Running", SETTLE_PATIENCE_MS);
  }

  async kubectl(...args: readonly string[]): Promise<string> {
    return await this.cluster.kubectlAsAdmin(...args);
  }

  /** By the kubeconfig that somebody has from before: Drover gives out none while the cluster is not well. */
  kubectlFromBefore(...args: readonly string[]): string {
    return run("kubectl", "--kubeconfig", join(this.place.folder, `${this.name}-admin.kubeconfig`), ...args);
  }

  async listBackups(): Promise<readonly ShownBackup[]> {
    return (await this.place.json<{ items: readonly ShownBackup[] }>("backup", "list", this.name)).items;
  }

  async listCertificates(): Promise<readonly ShownCertificate[]> {
    return (await this.place.json<{ items: readonly ShownCertificate[] }>("certs", this.name)).items;
  }

  /** Renews all of them; answers with those from before, and with a way to the serial number that one has now. */
  async renewCertificates() {
    const old = await this.listCertificates();
    await this.timed("certs", "renew", this.name, "--wait");
    await this.settle();
    const now = await this.listCertificates();
    const serialNow = (wanted: ShownCertificate): string | undefined =>
      now.find((one) => one.node === wanted.node && one.name === wanted.name)?.serial;
    await this.kubectl("get", "nodes");
    return { old, serialNow };
  }

  async expectAsFound(machines = this.#machines): Promise<void> {
    const now = await Promise.all(machines.map(listAll));
    for (const [at, machine] of machines.entries()) expect(now[at], machine.name).toEqual(this.#before.get(machine));
  }

  async delete(): Promise<void> {
    await this.place.must("delete", this.name, "--yes", "--wait");
  }
}
