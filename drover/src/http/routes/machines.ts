import { type Handlers, type Machine, machineRoutes } from "@drover/contract";
import type { FastifyInstance } from "fastify";
import { acceptHostKey, changeMachine, forgetMachine, lookAgain } from "../../app/machines/change-machine.ts";
import { checkForCluster } from "../../app/machines/check-for-cluster.ts";
import { enrollMachines } from "../../app/machines/enroll-machines.ts";
import { getMachine, listMachines, showMachines } from "../../app/machines/read-machines.ts";
import type { MachineRecord } from "../../ports/store/index.ts";
import type { ApiParts } from "../api-parts.ts";
import { mountRoutes } from "../mount-routes.ts";
import { presentMachine } from "../present/machine.ts";
import type { RequestContext } from "../request-context.ts";
import { readSelector } from "./clusters.ts";

export function addMachineRoutes(server: FastifyInstance, { app }: ApiParts): void {
  const present = async (machine: MachineRecord, context: RequestContext): Promise<Machine> => {
    const shown = await showMachines(app, context.caller, [machine]);
    context.version = machine.version;
    return shown.map(presentMachine)[0] as Machine;
  };
  const handlers: Handlers<typeof machineRoutes, RequestContext> = {
    listMachines: async ({ query: { selector, search, state, limit, after } }, { caller }) => {
      const page = await listMachines(app, caller, {
        limit,
        ...(selector === undefined ? {} : { selector: readSelector(selector) }),
        ...(search === undefined ? {} : { search }),
        ...(state === undefined ? {} : { states: state }),
        ...(after === undefined ? {} : { after }),
      });
      return { items: page.items.map(presentMachine), next: page.next };
    },
    getMachine: async ({ params }, context) => present(await getMachine(app, context.caller, params.name), context),
    enrollMachines: async ({ body }, { caller, idempotency }) => {
      const shown = await enrollMachines(app, caller, body.machines, idempotency);
      return { items: shown.map(presentMachine) };
    },
    changeMachine: async ({ params, body }, context) => {
      const { caller, expectedVersion } = context;
      return present(await changeMachine(app, caller, params.name, body, expectedVersion), context);
    },
    forgetMachine: async ({ params }, { caller }) => {
      await forgetMachine(app, caller, params.name);
    },
    lookAgain: async ({ params }, context) => present(await lookAgain(app, context.caller, params.name), context),
    acceptHostKey: async ({ params, body }, context) =>
      present(await acceptHostKey(app, context.caller, { name: params.name, ...body }), context),
    checkMachines: async ({ body }, { caller }) => {
      const results = await checkForCluster(app, caller, body);
      return { items: results.map((result) => ({ ...result, problems: [...result.problems] })) };
    },
  };
  mountRoutes(server, machineRoutes, handlers);
}
