import type { Accepted } from "./declare-document.ts";
import { EXIT } from "./exit-codes.ts";
import type { Session } from "./session.ts";
import { waitForJob } from "./wait-for-job.ts";

/** Waits for jobs one after the other, in the order in which they were asked for; the first bad end counts. */
export async function waitForAll(session: Session, accepted: readonly Accepted[]): Promise<number> {
  let worst: number = EXIT.ok;
  for (const { jobId } of accepted) {
    if (jobId === null) continue;
    const code = await waitForJob(session, jobId);
    if (worst === EXIT.ok) worst = code;
    if (code > EXIT.jobCanceled) return code;
  }
  return worst;
}

/** Says what was acknowledged, and how to see what becomes of it. */
export function tellAccepted({ terminal }: Session, verb: string, { cluster, generation, jobId }: Accepted): void {
  const more = jobId === null ? "" : `, generation ${generation}; follow it with \`drover logs -f ${cluster}\``;
  terminal.out(`cluster/${cluster} ${verb}${more}\n`);
}
