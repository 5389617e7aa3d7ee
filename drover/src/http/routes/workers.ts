import { DroverError, type Handlers, type Provider, workerRoutes } from "@drover/contract";
import type { FastifyInstance } from "fastify";
import { drainWorker } from "../../app/drain-worker.ts";
import { listWorkers, type WorkerFacts } from "../../app/list-workers.ts";
import { systemClock } from "../../ports/clock.ts";
import type { ApiParts } from "../api-parts.ts";
import { mountRoutes } from "../mount-routes.ts";
import { toTime } from "../present/time.ts";
import type { RequestContext } from "../request-context.ts";

export function addWorkerRoutes(server: FastifyInstance, { app }: ApiParts): void {
  const handlers: Handlers<typeof workerRoutes, RequestContext> = {
    listWorkers: async () => ({ items: (await listWorkers(app)).map(presentWorker) }),
    drainWorker: async ({ params }, { caller }) => {
      const worker = (await listWorkers(app)).find(({ id }) => id === params.id);
      if (worker === undefined || worker.state === "Lost") {
        throw new DroverError("worker-not-found", `There is no worker ${params.id} at work.`);
      }
      await drainWorker(app, caller.actor, worker.id);
      return { ...presentWorker(worker), state: "Draining" as const };
    },
  };
  mountRoutes(server, workerRoutes, handlers);
}

function presentWorker({ id, host, version, providers, state, jobs }: WorkerFacts) {
  return {
    ...{ id, host, version, state },
    providers: providers as Provider[],
    jobs: [...jobs],
    // Presence ends by itself within seconds: whoever is present was seen just now.
    lastSeenTime: state === "Lost" ? null : toTime(systemClock.now()),
  };
}
