import type { ReadStore } from "../../ports/store/index.ts";
import { keepsLine, type LogFilter, presentLine } from "./log-source.ts";

const PAGE_LINES = 1_000;
/** How many lines one call looks at when the filter leaves almost everything out; `last` tells where to go on. */
const MOST_LINES = 50_000;

export async function readLogLines(
  read: ReadStore,
  jobId: string,
  { from, limit, ...filter }: LogFilter & { readonly from: number; readonly limit: number },
) {
  const lines: ReturnType<typeof presentLine>[] = [];
  let last = from - 1;
  while (lines.length < limit && last - from < MOST_LINES) {
    const page = await read.readLog({ jobId, from: last + 1, limit: PAGE_LINES });
    const kept = page.map(presentLine).filter((line) => keepsLine(filter, line));
    const given = kept.slice(0, limit - lines.length);
    lines.push(...given);
    last = given.length < kept.length ? (given.at(-1)?.line ?? last) : (page.at(-1)?.line ?? last);
    if (page.length < PAGE_LINES) break;
  }
  return { lines, last, total: await read.lastLogLine(jobId) };
}
