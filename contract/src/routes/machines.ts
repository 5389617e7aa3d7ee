import { z } from "zod";
import { block, dnsLabel } from "../cluster/scalars.ts";
import { hostKey } from "../cluster/ssh-nodes.ts";
import {
  KEY_OWNERS,
  MACHINE_STATES,
  MOST_MACHINES_AT_ONCE,
  machine,
  machineAccess,
  machineProblem,
  newMachine,
} from "../machine.ts";
import { line, nameParams, page, paging, selector, severalOf } from "./common.ts";
import type { RouteTable } from "./route.ts";

const check = z.strictObject({
  machine: z.string(),
  /** Null when it is named by the document, but not enrolled. */
  state: z.enum(MACHINE_STATES).nullable(),
  problems: z.array(machineProblem),
});

export const machineRoutes = {
  listMachines: {
    method: "GET",
    path: "/api/v1/machines",
    summary: "Machines by labels, name, address and state, page by page.",
    access: "viewer",
    query: z.strictObject({
      selector: selector.optional(),
      search: line(253).optional(),
      state: severalOf(z.enum(MACHINE_STATES)).optional(),
      ...paging,
    }),
    success: 200,
    response: page(machine),
    errors: ["page-cursor-invalid"],
  },
  getMachine: {
    method: "GET",
    path: "/api/v1/machines/:name",
    summary: "One machine: how it is reached and what was seen on it.",
    access: "viewer",
    params: nameParams,
    success: 200,
    response: machine,
    errors: ["machine-not-found"],
  },
  enrollMachines: {
    method: "POST",
    path: "/api/v1/machines",
    summary: "Enrol machines, all of them or none. A worker looks at them afterwards.",
    access: "operator",
    body: z.strictObject({ machines: z.array(newMachine).min(1).max(MOST_MACHINES_AT_ONCE) }),
    success: 201,
    response: z.strictObject({ items: z.array(machine) }),
    errors: ["validation-failed"],
  },
  changeMachine: {
    method: "PUT",
    path: "/api/v1/machines/:name",
    summary: "Replace labels and access of a machine. Its pinned host key stays.",
    access: "operator",
    params: nameParams,
    body: machineAccess,
    ifMatch: true,
    success: 200,
    response: machine,
    errors: ["machine-not-found", "validation-failed", "generation-conflict", "precondition-required"],
  },
  forgetMachine: {
    method: "DELETE",
    path: "/api/v1/machines/:name",
    summary: "Forget a machine that no cluster uses. Nothing is changed on it.",
    access: "operator",
    params: nameParams,
    success: 204,
    response: null,
    errors: ["machine-not-found", "machine-in-use"],
  },
  lookAgain: {
    method: "POST",
    path: "/api/v1/machines/:name/facts",
    summary: "Have a worker look at a machine now.",
    access: "operator",
    params: nameParams,
    success: 202,
    response: machine,
    errors: ["machine-not-found"],
  },
  acceptHostKey: {
    method: "POST",
    path: "/api/v1/machines/:name/host-key",
    summary: "Pin the host key that a machine showed instead of the one that was pinned.",
    access: "operator",
    params: nameParams,
    body: z.strictObject({ of: z.enum(KEY_OWNERS).default("machine"), fingerprint: hostKey }),
    success: 200,
    response: machine,
    errors: ["machine-not-found", "host-key-differs"],
  },
  checkMachines: {
    method: "POST",
    path: "/api/v1/machine-checks",
    summary: "What is in the way of a cluster on its machines, by what was last seen of them.",
    access: "viewer",
    /** The machines of a document, of a declared cluster, those that are named, or all. */
    body: z.strictObject({
      document: block(1_048_576).optional(),
      cluster: dnsLabel.optional(),
      machines: z.array(dnsLabel).max(MOST_MACHINES_AT_ONCE).optional(),
    }),
    success: 200,
    response: z.strictObject({ items: z.array(check) }),
    errors: ["machine-not-found", "cluster-not-found", "document-unparsable", "validation-failed"],
  },
} as const satisfies RouteTable;
