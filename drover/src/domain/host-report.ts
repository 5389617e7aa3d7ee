import type { Finding } from "./finding.ts";

/** What a worker says of the machine that it runs on. */
export interface HostReport {
  readonly host: string;
  readonly at: number;
  readonly findings: readonly Finding[];
}

/** Where it lies, among the leases: it ends with whoever wrote it. */
export const HOST_REPORTS = "doctor/";
export const hostReportKey = (workerId: string): string => HOST_REPORTS + workerId;
