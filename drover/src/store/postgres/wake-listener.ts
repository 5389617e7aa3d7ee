import type { WakeTopic } from "../../ports/store/index.ts";
import { WAKE_TOPICS, type WakeHub } from "../session.ts";
import type { StandingConnection } from "./standing-connection.ts";

export const WAKE_CHANNEL = "drover_wake";

/** Hears of the commits of other processes. */
export function listenForWakes(connection: StandingConnection, hub: WakeHub): void {
  connection.use({
    connected: async (client) => {
      client.on("notification", ({ payload }) => hub.fire((payload ?? "").split(",") as WakeTopic[]));
      await client.query(`listen ${WAKE_CHANNEL}`);
    },
    back: () => hub.fire(WAKE_TOPICS), // what was missed meanwhile has to be looked for
  });
}
