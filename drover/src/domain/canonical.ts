/**
 * One text for one value: two JSON values are equal exactly when their canonical texts are. Object keys are sorted by
 * code unit, members that are `undefined` are left out as JSON does, `-0` is `0`, and nothing is indented.
 * What JSON cannot carry (functions, NaN, dates, cycles) is refused rather than dropped: a hash of it would lie.
 */
export function canonicalJson(value: unknown): string {
  return write(value, "", []);
}

/** Identifies a spec by its content. The hash function comes from outside: this layer does no I/O. */
export function specHash(spec: unknown, sha256: (text: string) => string): string {
  return sha256(canonicalJson(spec));
}

/** Whether two JSON values are the same whatever the order of their keys. */
export function isSameJson(left: unknown, right: unknown): boolean {
  return canonicalJson(left) === canonicalJson(right);
}

function write(value: unknown, path: string, parents: readonly unknown[]): string {
  switch (typeof value) {
    case "string":
    case "boolean":
      return JSON.stringify(value);
    case "number":
      if (!Number.isFinite(value)) throw unfit(path, `${value} is not a JSON number`);
      return JSON.stringify(value);
    case "object":
      if (value === null) return "null";
      if (parents.includes(value)) throw unfit(path, "it contains itself");
      return Array.isArray(value)
        ? writeArray(value, path, [...parents, value])
        : writeObject(value, path, [...parents, value]);
    default:
      throw unfit(path, `a value of type ${typeof value} has no JSON form`);
  }
}

function writeArray(items: readonly unknown[], path: string, parents: readonly unknown[]): string {
  // Array.from, not map: a hole must be refused, not skipped.
  return `[${Array.from(items, (item, index) => write(item, `${path}[${index}]`, parents)).join(",")}]`;
}

function writeObject(object: object, path: string, parents: readonly unknown[]): string {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) throw unfit(path, "only plain objects have a JSON form");
  const members = Object.entries(object)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${write(member, path === "" ? key : `${path}.${key}`, parents)}`);
  return `{${members.join(",")}}`;
}

function unfit(path: string, why: string): TypeError {
  return new TypeError(`Cannot write ${path === "" ? "the value" : path} as canonical JSON: ${why}.`);
}
