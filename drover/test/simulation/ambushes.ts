import { act } from "./act.ts";
import { DEEDS, type DeedName, NAMES } from "./deeds.ts";
import { jobOf, type Lookout, type Moment, POINTS, type Point } from "./moment.ts";
import type { Simulation } from "./simulation.ts";

interface Ambush {
  readonly point: Point | "any";
  readonly when: Moment["when"];
  /** How many such calls go by before it happens. */
  left: number;
  readonly deed: DeedName;
  /** What follows at one of the next calls, whichever that is. */
  readonly next: DeedName | null;
}

/**
 * Deeds that happen at the n-th call of something, exactly before it takes effect or after that and before its answer
 * arrives. Uniformly random times hardly ever meet these boundaries.
 */
export class Ambushes implements Lookout {
  readonly #simulation: Simulation;
  #laid: Ambush[] = [];
  /** A deed makes calls of its own; those are not lain in wait for. */
  #busy = false;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  lay(deeds: Readonly<Record<DeedName, number>>): void {
    const { random } = this.#simulation;
    const point = random.pickWeighted(POINTS);
    const left = random.pick([0, 0, 0, 1, 2, 5]);
    const when = random.pick(["before", "after"] as const);
    const deed = random.pickWeighted(deeds);
    this.#laid.push({ point, when, left, deed, next: random.chance(0.4) ? random.pickWeighted(deeds) : null });
  }

  callOff(): void {
    this.#laid = [];
  }

  async meet(moment: Moment): Promise<void> {
    for (const ambush of this.#sprung(moment)) await this.#strike(ambush, moment);
  }

  /** It happens before anybody else gets a turn, or nearly so. */
  meetCloud(moment: Moment): void {
    const { oracle } = this.#simulation;
    for (const ambush of this.#sprung(moment)) {
      this.#strike(ambush, moment).catch((error: unknown) => oracle.blame("simulation", String(error)));
    }
  }

  #sprung({ point, when }: Moment): readonly Ambush[] {
    if (this.#laid.length === 0 || this.#busy) return [];
    const meant = this.#laid.filter((one) => one.point === "any" || (one.point === point && one.when === when));
    const sprung = meant.filter(({ left }) => left === 0);
    for (const one of meant) one.left -= 1;
    this.#laid = this.#laid.filter((one) => !sprung.includes(one));
    return sprung;
  }

  async #strike({ deed, next }: Ambush, moment: Moment): Promise<void> {
    const { time, trace, random, workersAtWork } = this.#simulation;
    const worker =
      workersAtWork.find(({ name }) => name === moment.worker) ??
      (workersAtWork.length === 0 ? null : random.pick(workersAtWork));
    const cluster = this.#clusterOf(moment);
    trace.write("ambush", `${deed} ${moment.when} ${moment.point} of ${cluster}`);
    this.#busy = true;
    try {
      await time.hold(() => act(this.#simulation, () => DEEDS[deed](this.#simulation, { cluster, worker })));
    } finally {
      this.#busy = false;
    }
    if (next === null) return;
    this.#laid.push({ point: "any", when: "before", left: random.between(0, 8), deed: next, next: null });
  }

  #clusterOf(moment: Moment): string {
    const { random, query } = this.#simulation;
    if (moment.clusterName !== undefined) return moment.clusterName;
    const jobId = jobOf(moment);
    const [row] =
      jobId === null
        ? []
        : query(
            `select clusters.name from jobs join clusters on clusters.id = jobs.cluster_id where jobs.id = '${jobId}'`,
          );
    return row === undefined ? random.pick(NAMES) : String(row["name"]);
  }
}
