import type { Plan } from "../domain/plan.ts";
import type { Provider } from "../ports/provider.ts";
import type { Actor, ClusterRecord, Idempotency, Store } from "../ports/store/index.ts";
import type { Timer } from "../ports/timer.ts";
import type { ReadResult } from "./read-documents.ts";

/** What use cases work with. They write desired state and read everything; they do nothing on any host. */
export interface App {
  readonly store: Omit<Store, "jobs" | "looks" | "machineLooks" | "close">;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly timer: Timer;
  /** As `readDocuments` does, without holding up anybody. */
  readonly readDocuments: (text: string) => Promise<ReadResult>;
  /** The plan with what each step would change, in words. */
  readonly describeChanges: (plan: Plan, cluster: ClusterRecord) => Promise<Plan>;
}

/** Who asks for something, and how. */
export interface Request {
  readonly actor: Actor;
  readonly reason?: string;
  readonly idempotency?: Idempotency;
}
