/** The fields that name a secret of Drover's; a test holds them against the schema. */
export const SECRET_FIELDS: ReadonlySet<string> = new Set(["credential", "kubeconfig", "token"]);

/** The secrets that a spec, or the access of machines, names, each once. */
export function secretNamesIn(spec: object): ReadonlySet<string> {
  const names = new Set<string>();
  collect(spec, names);
  return names;
}

function collect(value: unknown, names: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    if (SECRET_FIELDS.has(key) && isReference(item)) names.add(item.name);
    else collect(item, names);
  }
}

const isReference = (value: unknown): value is { readonly name: string } =>
  typeof value === "object" && value !== null && "name" in value && typeof value.name === "string";
