import { quoteArgument } from "../../lib/quote-command.ts";
import { MARK_VARIABLE } from "./command-script.ts";

export interface MarkedProcess {
  readonly pid: number;
  readonly session: number;
}

/** Says number and session of each process that carries the mark. Those of other users cannot be read. */
export function makeFindMarkedScript(mark: string): string {
  const wanted = quoteArgument(`${MARK_VARIABLE}=${mark}`);
  return `
for found in $(grep -lzxF -e ${wanted} /proc/[0-9]*/environ 2>/dev/null); do
  sed -n "s/^\\([0-9]*\\) (.*) [^ZX] [0-9]* [0-9]* \\([0-9]*\\) .*/\\1 \\2/p" "\${found%environ}stat" 2>/dev/null
done
exit 0
`;
}

export function readMarked(output: string): MarkedProcess[] {
  return output
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [pid, session] = line.split(" ").map(Number);
      return { pid: pid ?? 0, session: session ?? 0 };
    });
}
