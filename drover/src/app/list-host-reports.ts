import { HOST_REPORTS, type HostReport } from "../domain/host-report.ts";
import type { App } from "./app.ts";
import type { Caller } from "./caller.ts";

/** What names things of clusters: for those only who may see every cluster. */
const ABOUT_CLUSTERS: ReadonlySet<string> = new Set(["Images"]);

/** What each worker says of its machine. */
export async function listHostReports(
  app: App,
  { scopes }: Caller,
): Promise<readonly (HostReport & { readonly worker: string })[]> {
  const leases = await app.store.leases.listLeases(HOST_REPORTS);
  return leases.map(({ holder: worker, data }) => {
    const { host, at, findings } = data as unknown as HostReport;
    const shown = scopes.length === 0 ? findings : findings.filter(({ check }) => !ABOUT_CLUSTERS.has(check));
    return { worker, host, at, findings: shown };
  });
}
