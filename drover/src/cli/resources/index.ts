import { clusters } from "./clusters.ts";
import { events } from "./events.ts";
import { jobs } from "./jobs.ts";
import { machines } from "./machines.ts";
import { nodes } from "./nodes.ts";
import { batches, groups, secrets, templates, tokens, users, workers } from "./others.ts";
import type { AnyResource } from "./resource.ts";

/** Everything that `drover get` lists. */
export const RESOURCES: readonly AnyResource[] = [
  clusters,
  jobs,
  nodes,
  events,
  templates,
  workers,
  machines,
  batches,
  groups,
  secrets,
  users,
  tokens,
];
