import type { FastifyInstance } from "fastify";
import type { ApiParts } from "../api-parts.ts";
import { ClusterSnapshot } from "./cluster-snapshot.ts";

/** Keeps a snapshot as long as the server runs; null where none is wanted. */
export function keepSnapshot(
  server: FastifyInstance,
  { app, access, snapshotFile }: Pick<ApiParts, "app" | "access" | "snapshotFile">,
): ClusterSnapshot | null {
  if (snapshotFile === undefined) return null;
  const snapshot = new ClusterSnapshot({
    ...{ store: app.store, clock: access.clock, timer: app.timer, file: snapshotFile },
    onError: (error) => server.log.warn({ err: error }, "could not take a snapshot of the clusters"),
  });
  server.addHook("onReady", async () => snapshot.start());
  server.addHook("onClose", () => snapshot.stop());
  return snapshot;
}
