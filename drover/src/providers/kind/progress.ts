/** How far `kind create cluster` is once it says so of a part, in percent. The control plane takes most of the time. */
const DONE: readonly (readonly [part: string, percent: number])[] = [
  ["Ensuring node image", 8],
  ["Preparing nodes", 30],
  ["Configuring the external load balancer", 33],
  ["Writing configuration", 36],
  ["Starting control-plane", 75],
  ["Installing CNI", 80],
  ["Installing StorageClass", 84],
  ["Joining more control-plane nodes", 92],
  ["Joining worker nodes", 99],
];

/** Null where a line says nothing about it. Without a terminal kind writes ` • PART  ...`, then ` ✓ PART` or ` ✗ PART`. */
export function percentOf(line: string): number | null {
  const [, part] = /^ ✓ (.*)$/.exec(line) ?? [];
  return part === undefined ? null : (DONE.find(([begin]) => part.startsWith(begin))?.[1] ?? null);
}

/** Its closing words tell people to use a kubeconfig that is gone by then. */
const CLOSING = [/^Set kubectl context to /, /^You can now use your cluster with:/, /^kubectl cluster-info /];
const FAREWELL = /^(Have a nice day!|Thanks for using kind!|Not sure what to do next\?|Have a question, bug, or)/;

/** What of a line is for the log. */
export function show(line: string): string | null {
  if (line.trim() === "" || FAREWELL.test(line) || CLOSING.some((pattern) => pattern.test(line))) return null;
  return line.trimEnd();
}
