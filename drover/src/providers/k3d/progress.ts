/** One line of k3d's log. */
export interface K3dLine {
  readonly level: string;
  readonly message: string;
}

/**
 * Reads `time="…" level=info msg="…"`. Null for what is no line of the log, such as the commands that
 * `cluster create` shows people at its end.
 */
export function readLine(line: string): K3dLine | null {
  const [, level, quoted] = /^time=\S+ level=([a-z]+) msg=(.*)$/.exec(line) ?? [];
  if (level === undefined || quoted === undefined) return null;
  return { level, message: unquote(quoted) };
}

/** Text without blanks and other special characters is not quoted; what is quoted is as Go writes it. */
function unquote(text: string): string {
  const [, inner] = /^"(.*)"(?: [a-z]+=.*)?$/.exec(text) ?? [];
  if (inner === undefined) return text;
  return inner.replace(/\\(.)/g, (_, character: string) => ESCAPES[character] ?? character);
}

const ESCAPES: Readonly<Record<string, string>> = { n: " ", t: " ", r: " " };

/** How far `cluster create` is when it says so, in percent. The servers take most of the time, then the agents. */
const MARKERS: readonly (readonly [begin: string, percent: number])[] = [
  ["Prep: Network", 2],
  ["Created image volume", 4],
  ["Starting new tools node", 5],
  ["Creating node", 8],
  ["Creating LoadBalancer", 12],
  ["Starting cluster", 15],
  ["Starting the initializing server", 18],
  ["Starting servers", 20],
  ["Starting agents", 55],
  ["Starting helpers", 85],
  ["Injecting records", 92],
  ["Cluster '", 100],
];

/** Null where a line says nothing about it. */
export function percentOf({ message }: K3dLine): number | null {
  return MARKERS.find(([begin]) => message.startsWith(begin))?.[1] ?? null;
}
