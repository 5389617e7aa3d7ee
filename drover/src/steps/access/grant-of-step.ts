import type { JsonObject } from "../../domain/plan.ts";
import type { StepContext } from "../../ports/step.ts";
import type { Actor } from "../../ports/store/index.ts";
import type { LimitedRole } from "./access-objects.ts";

/** A kubeconfig that somebody asked for, as a plan carries it. Its token is nowhere but in the kubeconfig itself. */
export interface Grant {
  readonly id: string;
  readonly role: LimitedRole;
  readonly lifetimeSeconds: number;
  readonly by: Pick<Actor, "type" | "name">;
}

/** A kubeconfig that somebody wants to be of no use any more. */
export type Revocation = Pick<Grant, "id" | "by">;

export const inputOf = (about: Grant | Revocation): JsonObject => ({ ...about, by: { ...about.by } });

/** Only `pipelines/change-access.ts` writes such plans. */
export const grantOf = ({ step }: StepContext): Grant => step.input as unknown as Grant;
export const revocationOf = ({ step }: StepContext): Revocation => step.input as unknown as Revocation;
