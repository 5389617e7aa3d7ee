/** Figures belong into the log of the run, also when everything went well. */
export function report(line: string): void {
  process.stdout.write(`    ${line}\n`);
}

export const perSecond = (count: number, ms: number): string => `${Math.round(count / (ms / 1000))}/s`;
