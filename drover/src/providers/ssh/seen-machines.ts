import { isFields } from "../../domain/json-fields.ts";
import type { JsonObject } from "../../domain/plan.ts";
import type { Sighting } from "../../domain/sighting.ts";

/** A machine as a sighting tells of it, for the plan. */
export interface SeenMachine {
  /** Under which steps reach it. */
  readonly host: string;
  readonly node: string;
  readonly stage: string;
  readonly declared: boolean;
  /** It is a member of a database that runs apart from the API servers. */
  readonly etcdMember: boolean;
  /** Its API server has keys to encrypt Secrets with. */
  readonly encrypts: boolean;
}

/** As a sighting has them. */
export function machinesSeen({ machines }: Sighting["body"]): readonly SeenMachine[] {
  return Array.isArray(machines) ? machines.filter(isMachine) : [];
}

const isMachine = (value: unknown): value is JsonObject & SeenMachine =>
  isFields(value) && typeof value["host"] === "string" && typeof value["stage"] === "string";
