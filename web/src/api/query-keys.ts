/**
 * How what was read is named in the cache. The first word is the resource; `one` has the name or id behind it, so that
 * an event can say what it makes out of date.
 */
export const KEYS = {
  clusters: ["clusters"],
  clusterPages: ["clusters", "pages"],
  clusterCounts: ["clusters", "counts"],
  cluster: (name: string) => ["clusters", "one", name] as const,
  jobs: ["jobs"],
  jobPages: ["jobs", "pages"],
  job: (id: string) => ["jobs", "one", id] as const,
  batches: ["batches"],
  batchPages: ["batches", "pages"],
  batch: (id: string) => ["batches", "one", id] as const,
  machines: ["machines"],
  machinePages: ["machines", "pages"],
  machine: (name: string) => ["machines", "one", name] as const,
  secrets: ["secrets"],
  workers: ["workers"],
  me: ["me"],
} as const;
