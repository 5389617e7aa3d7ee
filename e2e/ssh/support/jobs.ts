import type { Place } from "../../support/place.ts";

export interface SeenStep {
  readonly id: string;
  readonly title: string;
  readonly host: string;
  readonly state: string;
  readonly startedTime: string | null;
  readonly finishedTime: string | null;
}

export interface SeenJob {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly steps: readonly SeenStep[];
}

/** The newest job of a cluster with its steps; null while there is none. */
export async function newestJob(place: Place, cluster: string): Promise<SeenJob | null> {
  const { items } = await ask<{ items: readonly Omit<SeenJob, "steps">[] }>(place, `jobs?cluster=${cluster}&limit=1`);
  const [job] = items;
  if (job === undefined) return null;
  const { steps } = await ask<{ steps: readonly SeenStep[] }>(place, `jobs/${job.id}/graph`);
  return { ...job, steps };
}

export const isFinished = ({ finishedTime }: SeenStep): boolean => finishedTime !== null;

async function ask<T>(place: Place, path: string): Promise<T> {
  const { url, token } = JSON.parse(place.read("data/cli.json")) as { url: string; token: string };
  const answer = await fetch(new URL(`api/v1/${path}`, url), { headers: { authorization: `Bearer ${token}` } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** An upgrade is followed by a look whether everything is as declared, which begins as a create does, and is over soon. */
export const workingSteps = ({ kind, steps }: Pick<SeenJob, "kind" | "steps">): readonly SeenStep[] =>
  kind === "upgrade"
    ? steps.slice(
        0,
        steps.findLastIndex(({ title }) => title === "Check the artifacts"),
      )
    : steps;

/** How long the parts of a job took: steps that do the same on several machines are one part. */
export function describePhases({ kind, steps }: SeenJob): string {
  const spans = new Map<string, { from: number; to: number }>();
  for (const { title, host, startedTime, finishedTime } of workingSteps({ kind, steps })) {
    if (startedTime === null || finishedTime === null) continue;
    const phase = title.replace(host, "").replace(/ (to|of|on|onto)?\s*$/, "");
    const [from, to] = [Date.parse(startedTime), Date.parse(finishedTime)];
    const span = spans.get(phase) ?? { from, to };
    spans.set(phase, { from: Math.min(span.from, from), to: Math.max(span.to, to) });
  }
  return [...spans].map(([phase, { from, to }]) => `${phase} ${((to - from) / 1000).toFixed(1)} s`).join(", ");
}
