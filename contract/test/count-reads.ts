/** A document like the one that was given, which counts how many of its values are read. */
export function countReads(document: unknown): { readonly document: unknown; readonly reads: () => number } {
  let reads = 0;
  const wrap = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    return new Proxy(value, {
      get: (of, key, receiver) => {
        reads += 1;
        return wrap(Reflect.get(of, key, receiver));
      },
    });
  };
  return { document: wrap(document), reads: () => reads };
}
