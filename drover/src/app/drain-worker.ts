import { drainSettingOf } from "../domain/worker-drain.ts";
import type { Actor } from "../ports/store/index.ts";
import type { App } from "./app.ts";

/** Asks a worker to finish what it does and to take nothing more. It looks for this whenever it says that it is here. */
export async function drainWorker(app: App, actor: Actor, workerId: string): Promise<void> {
  await app.store.settings.putSetting(actor, { key: drainSettingOf(workerId), value: true });
}
