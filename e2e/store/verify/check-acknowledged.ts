import { type Acknowledged, secretValue } from "../writer/acknowledgement.ts";
import type { World } from "./world.ts";

type Of<Op extends Acknowledged["op"]> = Extract<Acknowledged, { op: Op }>;
type Complaints = readonly (string | false)[];

/** For each kind of write: what must be found after it was acknowledged. Answers what is missing. */
export async function checkAcknowledged(world: World, ack: Acknowledged): Promise<readonly string[]> {
  const missing = (await complain(world, ack)).filter((complaint) => complaint !== false);
  return missing.map((complaint) => `${complaint}: ${JSON.stringify(ack)}`);
}

async function complain(world: World, ack: Acknowledged): Promise<Complaints> {
  switch (ack.op) {
    case "declare":
    case "delete":
      return await checkDeclared(world, ack);
    case "request":
      return [
        (await world.job(ack.jobId)) === null && "the job is missing",
        !world.events.has(`job.request ${ack.jobId}`) && "the event is missing",
        !world.audit.has(`job.request ${ack.jobId}`) && "the audit entry is missing",
      ];
    case "cancel":
      return [((await world.job(ack.jobId))?.cancelRequestedAt ?? null) === null && "the cancel request is missing"];
    case "object":
      return [rank(world.objects.get(ack.id)) < rank(ack.state) && "the ledger has forgotten"];
    case "secret":
    case "secret-gone":
      return await checkSecret(world, ack);
    case "message":
      return [!world.messages.has(ack.id) && "the message is missing"];
    case "delivered":
      return [world.messages.get(ack.id) !== true && "the message is not delivered"];
    case "count":
      return []; // see check-invariants.ts
    case "audit":
      return [!world.audit.has(`e2e.note ${ack.note}`) && "the audit entry is missing"];
    default:
      return await checkJobWrite(world, ack);
  }
}

async function checkDeclared(world: World, ack: Of<"declare" | "delete">): Promise<Complaints> {
  const cluster = await world.cluster(ack.clusterId);
  if (cluster === null) return ["the cluster is missing"];
  const revision = (await world.revisions(ack.clusterId)).find(({ generation }) => generation === ack.generation);
  const job = ack.jobId === null ? null : await world.job(ack.jobId);
  const action =
    ack.outcome === "created" ? "cluster.create" : ack.op === "delete" ? "cluster.delete" : "cluster.update";
  const key = `${action} ${ack.clusterId} ${ack.version}`;
  return [
    cluster.generation < ack.generation && `the cluster is at generation ${cluster.generation}`,
    cluster.version < ack.version && `the cluster is at version ${cluster.version}`,
    revision?.specHash !== ack.specHash && `the revision holds ${revision?.specHash}`,
    ack.jobId !== null && (job === null || job.generation < ack.generation) && "the job is missing",
    ack.op === "delete" && cluster.desiredState !== "absent" && "the cluster is wanted",
    ack.outcome !== "unchanged" && !world.events.has(key) && "the event is missing",
    ack.outcome !== "unchanged" && !world.audit.has(key) && "the audit entry is missing",
  ];
}

async function checkJobWrite(
  world: World,
  ack: Of<"claim" | "plan" | "step" | "log" | "finish" | "gone" | "postpone">,
): Promise<Complaints> {
  const job = await world.job(ack.jobId);
  if (job === null) return ["the job is missing"];
  switch (ack.op) {
    case "claim":
      return [
        job.attempt < ack.token && `the job was begun ${job.attempt} times`,
        !world.events.has(`job.claimed ${ack.jobId} ${ack.token}`) && "the event is missing",
      ];
    case "plan": {
      const stepIds = (await world.steps(ack.jobId)).map((step) => step.stepId);
      return [
        job.planHash !== ack.planHash && `the job has plan ${job.planHash}`,
        stepIds.join() !== ack.stepIds.join() && `the steps are ${stepIds.join()}`,
        !world.events.has(`job.planned ${ack.jobId}`) && "the event is missing",
      ];
    }
    case "step":
      return await checkStep(world, ack);
    case "log":
      return await checkLog(world, ack);
    case "finish":
      return [
        job.state !== ack.state && `the job is ${job.state}`,
        !world.events.has(`job.finished ${ack.jobId}`) && "the event is missing",
      ];
    case "gone":
      return [
        job.state !== "Succeeded" && `the job is ${job.state}`,
        ((await world.cluster(ack.clusterId))?.deletedAt ?? null) === null && "the cluster is not deleted",
        !world.events.has(`cluster.deleted ${ack.jobId}`) && "the event is missing",
        !world.audit.has(`cluster.deleted ${ack.clusterId}`) && "the audit entry is missing",
      ];
    case "postpone":
      return [
        !world.events.has(`job.postponed ${ack.jobId}`) &&
          !world.events.has(`job.finished ${ack.jobId}`) &&
          "the event is missing",
      ];
  }
}

async function checkStep(world: World, ack: Of<"step">): Promise<Complaints> {
  const step = (await world.steps(ack.jobId)).find(({ stepId }) => stepId === ack.stepId);
  const done = ack.state === "Succeeded";
  const result = step?.result as { token: number } | null | undefined;
  return [
    (step === undefined || step.state === "Pending") && `the step is ${step?.state ?? "missing"}`,
    done && step?.state !== "Succeeded" && `the step is ${step?.state}`,
    done && result?.token !== ack.token && `the step's result is ${JSON.stringify(result)}`,
    !world.events.has(`step.changed ${ack.jobId} ${ack.stepId} ${ack.state} ${ack.token}`) && "the event is missing",
  ];
}

async function checkLog(world: World, ack: Of<"log">): Promise<Complaints> {
  const lines = await world.log(ack.jobId);
  const found = lines.slice(ack.last - ack.texts.length, ack.last).map((line) => line.text);
  return [
    found.join("\n") !== ack.texts.join("\n") && `the lines are ${JSON.stringify(found)}`,
    lines.some((line, index) => line.line !== index + 1) && "the lines are not numbered 1, 2, 3 …",
  ];
}

/** A deletion that nobody lived to acknowledge may have happened all the same; then the audit log knows of it. */
async function checkSecret(world: World, ack: Of<"secret" | "secret-gone">): Promise<Complaints> {
  const name = `${ack.owner}/${ack.name}`;
  const deleted = world.audit.has(`secret.delete ${name}`);
  const value = await world.readSecret(ack.owner, ack.name);
  if (deleted || value === null) {
    return [deleted !== (value === null) && `deleted according to the ${deleted ? "audit log" : "table"} alone`];
  }
  if (ack.op === "secret-gone") return ["the secret is still there"];
  const version = world.secrets.get(name)?.version ?? 0;
  return [
    version < ack.version && `the secret is at version ${version}`,
    value !== secretValue(ack.owner, ack.name, version) && `version ${version} reads ${value}`,
    !world.audit.has(`secret.put ${name} ${ack.version}`) && "the audit entry is missing",
  ];
}

const STATES = ["intended", "present", "gone"];
const rank = (state: string | undefined): number => (state === undefined ? -1 : STATES.indexOf(state));
