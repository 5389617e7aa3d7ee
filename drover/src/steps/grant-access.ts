import { DroverError } from "@drover/contract";
import { listAt, textAt } from "../domain/json-fields.ts";
import type { Clock } from "../ports/clock.ts";
import type { Step, StepContext } from "../ports/step.ts";
import { clusterSecretOwner, waitingKubeconfig } from "../ports/store/index.ts";
import {
  accountPath,
  ENDS_ANNOTATION,
  grantName,
  grantObject,
  grantPath,
  grantsPath,
  roleObjects,
} from "./access/access-objects.ts";
import { type Grant, grantOf } from "./access/grant-of-step.ts";
import { applyOwn, removeOwn } from "./access/own-objects.ts";
import { writeKubeconfig } from "./access/write-kubeconfig.ts";
import { assertUnlocked, inWords, type Reached, type ReachParts, reachOfStep } from "./inside/reach-of-step.ts";

export interface GrantParts extends ReachParts {
  readonly clock: Clock;
}

/**
 * Makes a kubeconfig for a role that ends by itself, and has it wait for whoever asked for it. Its token is bound to a
 * secret of its own inside the cluster; without that one it is refused. A crash anywhere leaves at most a token that
 * nobody has, and whose secret the next run uses again.
 */
export function grantAccess(parts: GrantParts): Step {
  return {
    name: "grant-access",
    precheck: async (context) => {
      const owner = clusterSecretOwner(context.cluster.id);
      const waiting = await context.readSecret(owner, waitingKubeconfig(grantOf(context).id));
      return waiting !== null;
    },
    run: async (context) => {
      const { role } = grantOf(context);
      assertUnlocked(context);
      await context.change(context.step.host, `Make a kubeconfig for the role ${role}`, () => grant(parts, context));
    },
    undo: async (context) => {
      const reached = await reachOfStep(parts, context);
      const { id, by } = grantOf(context);
      await removeOwn(context, reached, grantPath(context.cluster.id, id));
      await context.kubeconfigs.revoked({ id, by });
    },
  };
}

async function grant(parts: GrantParts, context: StepContext): Promise<void> {
  const { cluster } = context;
  const asked = grantOf(context);
  const { id, role, by } = asked;
  const reached = await reachOfStep(parts, context);
  for (const object of roleObjects(cluster.id, role)) await applyOwn(context, reached, object);
  await removeEnded(parts, context, reached);
  const endsAt = parts.clock.now() + asked.lifetimeSeconds * 1_000;
  const uid = await applyOwn(context, reached, grantObject(cluster.id, id, endsAt));
  const { token, expiresAt } = await requestToken(context, reached, asked, uid);
  context.mask(token);
  const text = await writeKubeconfig(context, reached.target, { role, token });
  await context.kubeconfigs.keep({ id, role, expiresAt, text, by });
}

async function requestToken(
  { cluster, signal }: StepContext,
  { kubernetes, target }: Reached,
  { id, role, lifetimeSeconds }: Grant,
  uid: string,
): Promise<{ readonly token: string; readonly expiresAt: number }> {
  const request = {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    spec: {
      expirationSeconds: lifetimeSeconds,
      boundObjectRef: { apiVersion: "v1", kind: "Secret", name: grantName(id), uid },
    },
  };
  const path = `${accountPath(cluster.id, role)}/token`;
  const answer = await inWords(() => kubernetes.post(target, path, request, signal));
  const token = textAt(answer, "status", "token");
  // An API server may be set up to allow less than was asked for.
  const expiresAt = Date.parse(textAt(answer, "status", "expirationTimestamp") ?? "");
  if (token !== null && !Number.isNaN(expiresAt)) return { token, expiresAt };
  throw new DroverError("step-failed", `The Kubernetes API of ${cluster.name} gave no token that ends.`);
}

/** Tokens end by themselves; what they were bound to is swept up here. */
async function removeEnded({ clock }: GrantParts, context: StepContext, reached: Reached): Promise<void> {
  const { kubernetes, target } = reached;
  const path = grantsPath(context.cluster.id);
  const list = await inWords(() => kubernetes.get(target, path, context.signal));
  for (const item of listAt(list, "items")) {
    const ends = Date.parse(textAt(item, "metadata", "annotations", ENDS_ANNOTATION) ?? "");
    const name = textAt(item, "metadata", "name");
    if (name !== null && ends + SLACK_MS < clock.now()) await removeOwn(context, reached, `${path}/${name}`);
  }
}

/** Clocks differ, and a token that was asked for late ends late. */
const SLACK_MS = 60 * 60_000;
