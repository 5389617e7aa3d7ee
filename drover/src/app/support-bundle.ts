import type { JobReport } from "../domain/job-report.ts";
import { renderReportMarkdown } from "../domain/render-report.ts";
import type { TarEntry } from "../lib/tar.ts";
import type { App } from "./app.ts";
import { listWorkers } from "./list-workers.ts";

const FAILED_JOBS = 20;
const LOG_LINES = 500;
const EVENTS = 500;

/**
 * What somebody who helps would ask for first. Specs, options and logs hold no secrets: those are masked where they are
 * written, and the rest is left out by name.
 */
export async function collectSupportBundle(
  app: App,
  about: { readonly version: string; readonly options: unknown },
): Promise<readonly TarEntry[]> {
  const { read, upkeep, audit } = app.store;
  const json = (name: string, value: unknown): TarEntry => ({ name, content: `${JSON.stringify(value, null, 2)}\n` });
  const last = await read.lastEventCursor();
  const entries = [
    json("about.json", { ...about, node: process.version, platform: process.platform, arch: process.arch }),
    json("store.json", await upkeep.checkHealth()),
    json("audit.json", await audit.verifyAudit()),
    json("clusters.json", await read.countClusters({})),
    json("jobs.json", await read.countLiveJobs()),
    json("workers.json", await listWorkers(app)),
    json("events.json", (await read.readEvents({ after: Math.max(0, last - EVENTS), limit: EVENTS })).events),
  ];
  const failed = await read.listJobs({ states: ["Failed"], limit: FAILED_JOBS });
  for (const job of failed.items) {
    const folder = `failed-jobs/${job.id}`;
    const end = await read.lastLogLine(job.id);
    const lines = await read.readLog({ jobId: job.id, from: Math.max(1, end - LOG_LINES + 1), limit: LOG_LINES });
    entries.push({ name: `${folder}/log.txt`, content: lines.map(({ line, text }) => `${line} ${text}\n`).join("") });
    const report = job.report as unknown as JobReport | null;
    if (report !== null) entries.push({ name: `${folder}/report.md`, content: renderReportMarkdown(report) });
  }
  return entries;
}
