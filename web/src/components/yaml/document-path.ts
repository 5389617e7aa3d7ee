/** The steps of a path: `spec.ssh.nodes[2].address` → `["spec", "ssh", "nodes", 2, "address"]`. */
export function splitPath(path: string): readonly (string | number)[] {
  return [...path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g)].map(([, quoted, index, word]) =>
    index === undefined ? (quoted ?? word ?? "") : Number(index),
  );
}
