import type { Finding } from "../domain/finding.ts";
import { hostReportKey } from "../domain/host-report.ts";
import type { Clock } from "../ports/clock.ts";
import type { Json, Store, WorkerIdentity } from "../ports/store/index.ts";
import { sleep, type Timer } from "../ports/timer.ts";

export interface HostReportDependencies {
  readonly store: Pick<Store, "leases">;
  readonly identity: WorkerIdentity;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly everyMs: number;
  readonly examine: (signal: AbortSignal) => Promise<readonly Finding[]>;
  readonly onError: (message: string, error: unknown) => void;
}

const PATIENCE_MS = 60_000;

/**
 * Looks at the machine now and then, and tells the others. What it told goes away by itself when nothing more is heard of
 * this worker, and at once when it leaves.
 */
export async function reportHost(deps: HostReportDependencies, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    await tell(deps, stop);
    await sleep(deps.timer, deps.everyMs, stop);
  }
  const { leases } = deps.store;
  const key = hostReportKey(deps.identity.id);
  const told = (await leases.listLeases(key).catch(() => [])).find((lease) => lease.key === key);
  if (told !== undefined) await leases.releaseLease(told).catch(() => false);
}

async function tell(deps: HostReportDependencies, stop: AbortSignal): Promise<void> {
  const { store, identity, clock, timer, everyMs, examine, onError } = deps;
  const late = new AbortController();
  const callOff = timer.after(PATIENCE_MS, () => late.abort(new Error("It took too long.")));
  try {
    const findings = await examine(AbortSignal.any([stop, late.signal]));
    if (stop.aborted) return;
    const data = { host: identity.host, at: clock.now(), findings } as unknown as Json;
    const report = { key: hostReportKey(identity.id), holder: identity.id, ttlMs: everyMs * 2 + PATIENCE_MS, data };
    await store.leases.acquireLease(report);
  } catch (error) {
    if (!stop.aborted) onError("Telling how this machine does failed", error);
  } finally {
    callOff();
  }
}
