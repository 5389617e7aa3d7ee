import type { ROUTES, RouteAnswer } from "@drover/contract";
import type { PlannedChange } from "../../app/plan-change.ts";

type Plan = RouteAnswer<typeof ROUTES.clusters.planChange>;

export function presentPlan({ plan, hash, jobKind, diff, baseVersion }: PlannedChange): Plan {
  return {
    hash,
    baseVersion: baseVersion ?? 0,
    kind: jobKind,
    change: diff.change,
    differences: diff.changes.map(({ path, before, after, change, reason }) => ({
      ...{ path, change, reason },
      before: before ?? null,
      after: after ?? null,
    })),
    steps: (plan?.steps ?? []).map(({ id, title, host, module, needs, changes }) => ({
      ...{ id, title, host, module },
      after: [...needs],
      changes: [...changes],
    })),
    consent: diff.changes.filter(({ change }) => change === "recreate").map(({ path, reason }) => `${path}: ${reason}`),
  };
}
