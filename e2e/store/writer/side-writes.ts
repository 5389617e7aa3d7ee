import type { SecretInfo } from "../../../drover/src/ports/store/index.ts";
import { actor } from "../support/store.ts";
import { COUNTER, secretValue } from "./acknowledgement.ts";
import type { Lane } from "./lane.ts";

/**
 * A secret of the lane's own, set a few times and sometimes deleted. When an answer is missing nobody knows which
 * version is stored, so the name is not touched again.
 */
export async function keepSecret(lane: Lane): Promise<void> {
  const name = lane.fresh();
  const owner = "e2e";
  const versions = lane.random.between(1, 3);
  for (let version = 1; version <= versions; version++) {
    const value = Buffer.from(secretValue(owner, name, version));
    const put = () => lane.store.secrets.putSecret(actor, { owner, name, value });
    const info: SecretInfo | undefined = await lane.attempt("secret", put);
    if (info === undefined) return;
    lane.acknowledge({ op: "secret", owner, name, version: info.version });
  }
  if (!lane.random.chance(30)) return;
  const gone = await lane.attempt("secret", () => lane.store.secrets.deleteSecret(actor, owner, name));
  if (gone === true) lane.acknowledge({ op: "secret-gone", owner, name });
}

export async function sendMessage(lane: Lane): Promise<void> {
  const message = { topic: "e2e", payload: { note: lane.fresh() } };
  const id = await lane.attempt("message", () => lane.store.outbox.enqueue(message));
  if (id !== undefined) lane.acknowledge({ op: "message", id });
}

export async function deliverMessages(lane: Lane): Promise<void> {
  const claim = { holder: lane.name, limit: lane.random.between(1, 3), leaseMs: 1_000 };
  const messages = await lane.attempt("outbox", () => lane.store.outbox.claimMessages(claim));
  for (const message of messages ?? []) {
    if (lane.random.chance(10)) {
      const failure = { error: "not now", delayMs: lane.random.below(300) };
      await lane.attempt("failed", () => lane.store.outbox.markFailed(message, failure));
      continue;
    }
    const done = await lane.attempt("delivered", () => lane.store.outbox.markDelivered(message));
    if (done === true) lane.acknowledge({ op: "delivered", id: message.id });
  }
}

/** Everybody counts on one setting: whoever is acknowledged has made exactly one step. */
export async function count(lane: Lane): Promise<void> {
  const now = await lane.attempt("counter", () => lane.store.settings.getSetting(COUNTER));
  if (now === undefined) return;
  const expectedVersion = now?.version ?? 0;
  const put = () =>
    lane.store.settings.putSetting(actor, { key: COUNTER, value: expectedVersion + 1, expectedVersion });
  const counted = await lane.attempt("counter", put);
  if (counted !== undefined) lane.acknowledge({ op: "count", version: counted.version });
}

export async function noteAudit(lane: Lane): Promise<void> {
  const note = lane.fresh();
  const entry = { action: "e2e.note", objectKind: "note", objectName: note };
  const noted = await lane.attempt("audit", async () => {
    await lane.store.audit.recordAudit(actor, entry);
    return true;
  });
  if (noted === true) lane.acknowledge({ op: "audit", note });
}
