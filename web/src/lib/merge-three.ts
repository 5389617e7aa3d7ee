/** A field that somebody else changed. `mine` is what it is here; in conflict when it was changed here as well. */
export interface MergedField {
  readonly path: string;
  readonly base: unknown;
  readonly theirs: unknown;
  readonly mine: unknown;
  readonly isConflict: boolean;
}

type Plain = Readonly<Record<string, unknown>>;

const isPlain = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Every leaf by its path; lists are leaves. */
export function flatten(value: unknown, path = ""): ReadonlyMap<string, unknown> {
  if (!isPlain(value)) return new Map([[path, value]]);
  return new Map(
    Object.entries(value).flatMap(([key, inside]) => {
      const step = /^[\w-]+$/.test(key) ? `${path === "" ? "" : "."}${key}` : `["${key}"]`;
      return [...flatten(inside, `${path}${step}`)];
    }),
  );
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What others changed since `base`, and where that meets what was changed here. */
export function mergeThree(base: unknown, theirs: unknown, mine: unknown): readonly MergedField[] {
  const [old, other, own] = [flatten(base), flatten(theirs), flatten(mine)];
  const paths = new Set([...old.keys(), ...other.keys()]);
  return [...paths]
    .filter((path) => !isSame(old.get(path), other.get(path)) && !isSame(other.get(path), own.get(path)))
    .map((path) => {
      const [before, after, here] = [old.get(path), other.get(path), own.get(path)];
      // What was not written here is as it was: documents may leave defaults out.
      const isConflict = here !== undefined && !isSame(before, here);
      return { path, base: before, theirs: after, mine: here, isConflict };
    });
}
