import type {
  ClusterRecord,
  EventRecord,
  JobRecord,
  LogLine,
  RevisionRecord,
  SecretInfo,
  StepRecord,
  Store,
} from "../../../drover/src/ports/store/index.ts";
import type { SharedDatabase } from "../support/databases.ts";
import { auditKey, eventKey } from "./keys.ts";

/** What a process that was not there before finds in the store. */
export interface World {
  readonly events: ReadonlySet<string>;
  readonly audit: ReadonlySet<string>;
  /** The reasons of all changes; every writer gives each of its requests another one. */
  readonly requests: readonly string[];
  /** Ids of messages, and whether they were delivered. */
  readonly messages: ReadonlyMap<string, boolean>;
  readonly objects: ReadonlyMap<string, string>;
  readonly secrets: ReadonlyMap<string, SecretInfo>;
  readSecret(owner: string, name: string): Promise<string | null>;
  cluster(id: string): Promise<ClusterRecord | null>;
  revisions(clusterId: string): Promise<readonly RevisionRecord[]>;
  job(id: string): Promise<JobRecord | null>;
  steps(jobId: string): Promise<readonly StepRecord[]>;
  log(jobId: string): Promise<readonly LogLine[]>;
}

const PAGE = 1_000;
const LONGEST_LOG = 100_000;

export async function readWorld(store: Store, database: SharedDatabase): Promise<World> {
  const { read } = store;
  const messages = await database.query("select id, delivered_at from outbox");
  const objects = await read.listExternalObjects({ includeGone: true });
  const secrets = await store.secrets.listSecrets();
  const events = await readAllEvents(store);
  return {
    events: new Set(events.map(eventKey)),
    requests: events.flatMap(({ body }) => (body as { reason?: string }).reason || []),
    audit: new Set(await readAuditKeys(store)),
    messages: new Map(messages.map((row) => [String(row.id), row.delivered_at !== null])),
    objects: new Map(objects.map(({ id, state }) => [id, state])),
    secrets: new Map(secrets.map((info) => [`${info.owner}/${info.name}`, info])),
    readSecret: async (owner, name) => {
      const value = await store.secrets.getSecret(owner, name);
      return value === null ? null : Buffer.from(value).toString();
    },
    cluster: remember(read.getCluster),
    revisions: remember(read.listRevisions),
    job: remember(read.getJob),
    steps: remember(read.listSteps),
    log: remember((jobId) => read.readLog({ jobId, from: 1, limit: LONGEST_LOG })),
  };
}

function remember<T>(look: (id: string) => Promise<T>): (id: string) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (id) => {
    const found = known.get(id) ?? look(id);
    known.set(id, found);
    return found;
  };
}

export async function readAllEvents(store: Store): Promise<readonly EventRecord[]> {
  const all: EventRecord[] = [];
  for (let after = 0; ; ) {
    const { events, cursor } = await store.read.readEvents({ after, limit: PAGE });
    all.push(...events);
    if (cursor === after) return all;
    after = cursor;
  }
}

async function readAuditKeys(store: Store): Promise<readonly string[]> {
  const keys: string[] = [];
  let before: number | undefined;
  for (;;) {
    const page = await store.read.listAudit({ limit: PAGE, ...(before === undefined ? {} : { before }) });
    keys.push(...page.map(auditKey));
    before = page.at(-1)?.seq;
    if (before === undefined) return keys;
  }
}
