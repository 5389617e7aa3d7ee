/** Commands whose first argument is a cluster, so that nobody needs to say so. */
const ABOUT_CLUSTERS: ReadonlySet<string> = new Set([
  ...["describe", "edit", "delete", "diff", "history", "logs", "kubeconfig"],
  ...["cancel", "retry", "rollback", "adopt", "pause", "resume", "protect", "unprotect", "cordon", "uncordon", "drain"],
]);

/**
 * People who know kubectl write `delete cluster demo` or `delete cluster/demo`; both mean `delete demo`. Where nothing
 * follows it, the word is the name of a cluster.
 */
export function dropObjectWords(args: readonly string[]): readonly string[] {
  const [command = "", ...rest] = args;
  if (!ABOUT_CLUSTERS.has(command)) return args;
  const [first = "", second = ""] = rest;
  const isObjectWord = /^clusters?$/.test(first) && second !== "" && !second.startsWith("-");
  const words = isObjectWord ? rest.slice(1) : rest;
  return [command, ...words.map((word) => word.replace(/^clusters?\//, ""))];
}
