import type { MachineReason, MachineState } from "@drover/contract";
import type { MachineRecord } from "../../ports/store/index.ts";
import type { MachineRow } from "../database.ts";

export const toMachine = (row: MachineRow): MachineRecord => ({
  id: row.id,
  name: row.name,
  address: row.address,
  port: row.port,
  access: JSON.parse(row.access),
  labels: JSON.parse(row.labels),
  version: row.version,
  hostKey: parseOrNull(row.host_key),
  bastionHostKey: parseOrNull(row.bastion_host_key),
  offeredKey: parseOrNull(row.offered_key),
  state: row.state as MachineState,
  reason: row.reason as MachineReason | null,
  message: row.message,
  lookedAt: row.looked_at,
  facts: parseOrNull(row.facts),
  factsAt: row.facts_at,
  failures: row.failures,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  updatedBy: row.updated_by,
});

const parseOrNull = (text: string | null) => (text === null ? null : JSON.parse(text));
