import type { JobRecord } from "../ports/store/index.ts";
import type { App } from "./app.ts";

export interface WorkerFacts {
  readonly id: string;
  readonly host: string;
  readonly version: string;
  readonly providers: readonly string[];
  readonly state: "Working" | "Idle" | "Draining" | "Lost";
  readonly jobs: readonly string[];
}

interface Presence {
  readonly host?: string;
  readonly version?: string;
  readonly providers?: readonly string[];
  readonly draining?: boolean;
}

const PAGE = 500;

/** Workers that are here, and those that are not any more but whose jobs nobody has taken over yet. */
export async function listWorkers(app: App): Promise<readonly WorkerFacts[]> {
  const jobs = await listRunningJobs(app);
  const present = new Map(
    (await app.store.leases.listLeases(PREFIX)).map(({ key, data }) => [key.slice(PREFIX.length), data as Presence]),
  );
  const holders = jobs.flatMap(({ workerId }) => (workerId === null ? [] : [workerId]));
  return [...new Set([...present.keys(), ...holders])].sort().map((id) => {
    const about = present.get(id);
    const held = jobs.filter(({ workerId }) => workerId === id).map((job) => job.id);
    const { host = "", version = "", providers = [] } = about ?? {};
    return { id, host, version, providers, jobs: held, state: stateOf(about, held.length) };
  });
}

const PREFIX = "worker/";

function stateOf(about: Presence | undefined, jobs: number): WorkerFacts["state"] {
  if (about === undefined) return "Lost";
  if (about.draining === true) return "Draining";
  return jobs === 0 ? "Idle" : "Working";
}

async function listRunningJobs(app: App): Promise<readonly JobRecord[]> {
  const jobs: JobRecord[] = [];
  for (let after: string | undefined; ; ) {
    const page = await app.store.read.listJobs({
      ...{ states: ["Processing"], limit: PAGE },
      ...(after === undefined ? {} : { after }),
    });
    jobs.push(...page.items);
    if (page.next === null) return jobs;
    after = page.next;
  }
}
