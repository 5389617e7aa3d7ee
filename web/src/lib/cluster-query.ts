/** What a person types to find clusters: words of the name, and `label:` with what kubectl would take as a selector. */
export interface ClusterQuery {
  readonly search: string | undefined;
  readonly selector: string | undefined;
}

export function parseClusterQuery(text: string): ClusterQuery {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const labels = words.flatMap((word) => /^label:(.+)$/.exec(word)?.[1] ?? []);
  const rest = words.filter((word) => !word.startsWith("label:")).join(" ");
  return {
    search: rest === "" ? undefined : rest,
    selector: labels.length === 0 ? undefined : labels.join(","),
  };
}
