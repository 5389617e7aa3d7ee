import { describe } from "vitest";
import { describeAccess } from "./access.conformance.ts";
import { describeAllocations } from "./allocations.conformance.ts";
import { describeAudit } from "./audit.conformance.ts";
import { describeBackups } from "./backups.conformance.ts";
import { describeBatches } from "./batches.conformance.ts";
import { describeCancel } from "./cancel.conformance.ts";
import { describeConcurrency } from "./concurrency.conformance.ts";
import { describeDeletion } from "./deletion.conformance.ts";
import { describeDesiredState } from "./desired.conformance.ts";
import { describeEvents } from "./events.conformance.ts";
import { describeFencing } from "./fencing.conformance.ts";
import { describeIdempotency } from "./idempotency.conformance.ts";
import { describeJobs } from "./jobs.conformance.ts";
import { describeJournal } from "./journal.conformance.ts";
import { describeKubeconfigs } from "./kubeconfigs.conformance.ts";
import { describeLedger } from "./ledger.conformance.ts";
import { describeLibrary } from "./library.conformance.ts";
import { describeLog } from "./log.conformance.ts";
import { describeLooks } from "./looks.conformance.ts";
import { describeMachines } from "./machines.conformance.ts";
import { describeModel } from "./model.conformance.ts";
import { describeObservations } from "./observations.conformance.ts";
import { describePaging } from "./paging.conformance.ts";
import { describePlacement } from "./placement.conformance.ts";
import { describeProgress } from "./progress.conformance.ts";
import { describeRetention } from "./retention.conformance.ts";
import { describeSchedules } from "./schedules.conformance.ts";
import { describeSecrets } from "./secrets.conformance.ts";
import { describeSelectors } from "./selectors.conformance.ts";
import { describeLeases, describeOutbox, describeSettings, describeUpkeep } from "./side-stores.conformance.ts";
import { describeSignIn } from "./sign-in.conformance.ts";
import { describeSupersede } from "./supersede.conformance.ts";
import { describeWorkers } from "./workers.conformance.ts";
import type { StoreSubject } from "./world.conformance.ts";

const THEMES = {
  "desired state": describeDesiredState,
  "deleting and requesting": describeDeletion,
  jobs: describeJobs,
  cancelling: describeCancel,
  progress: describeProgress,
  fencing: describeFencing,
  superseding: describeSupersede,
  placement: describePlacement,
  observations: describeObservations,
  looks: describeLooks,
  schedules: describeSchedules,
  journal: describeJournal,
  log: describeLog,
  ledger: describeLedger,
  allocations: describeAllocations,
  events: describeEvents,
  audit: describeAudit,
  secrets: describeSecrets,
  kubeconfigs: describeKubeconfigs,
  backups: describeBackups,
  library: describeLibrary,
  machines: describeMachines,
  batches: describeBatches,
  access: describeAccess,
  "signing in": describeSignIn,
  idempotency: describeIdempotency,
  paging: describePaging,
  "selectors and search": describeSelectors,
  retention: describeRetention,
  outbox: describeOutbox,
  settings: describeSettings,
  leases: describeLeases,
  workers: describeWorkers,
  upkeep: describeUpkeep,
  model: describeModel,
  concurrency: describeConcurrency,
} as const;

export type StoreTheme = keyof typeof THEMES;
export const STORE_THEMES = Object.keys(THEMES) as StoreTheme[];

/** What every store must do. The same cases run on every database; its name stands in the output. */
export function describeStore(subject: StoreSubject, themes: readonly StoreTheme[] = STORE_THEMES): void {
  describe(`store on ${subject.name}`, () => {
    for (const theme of themes) describe(theme, () => THEMES[theme](subject));
  });
}
