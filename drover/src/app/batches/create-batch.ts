import { DroverError, makeProblem, type Problem } from "@drover/contract";
import { type LabelSelector, parseLabelSelector } from "../../domain/labels.ts";
import type { BatchMember, BatchRecord, Idempotency, Json } from "../../ports/store/index.ts";
import type { App } from "../app.ts";
import type { Caller } from "../caller.ts";
import { refused } from "../declare-cluster.ts";
import type { BatchOrder } from "./batch-order.ts";

const MOST_MEMBERS = 10_000;
const MOST_PROBLEMS = 100;

/** Fixes the members, writes the batch down, and answers; a driver begins with them afterwards. */
export async function createBatch(
  app: App,
  caller: Caller,
  order: BatchOrder,
  idempotency: { readonly idempotency?: Idempotency },
): Promise<BatchRecord> {
  const problems = [...checkOperation(order)];
  const members = await findMembers(app, caller, order, problems);
  if (problems.length > 0) throw refused(problems.slice(0, MOST_PROBLEMS));
  const { operation, waveSize, maxFailures, reason, version, labels, consent = false } = order;
  if (operation === "delete" && !consent) {
    throw new DroverError("consent-required", `${members.length} cluster(s) would be deleted.`, {
      details: { clusters: members.length },
    });
  }
  const parameters: Json = {
    consent,
    ...(version === undefined ? {} : { version }),
    ...(labels === undefined ? {} : { labels }),
  };
  return await app.store.batches.createBatch({
    ...{ operation, parameters, members, waveSize, maxFailures, reason },
    ...{ actor: caller.actor, scopes: caller.scopes },
    ...idempotency,
  });
}

function* checkOperation({ operation, version, labels }: BatchOrder): Generator<Problem> {
  if (operation === "upgrade" && version === undefined) {
    yield makeProblem("version", "field-needed", "An upgrade needs the version to go to.");
  }
  if (operation !== "upgrade" && version !== undefined) {
    yield makeProblem("version", "field-excluded", `A version has no meaning for ${operation}.`);
  }
  if (operation === "label" && Object.keys(labels ?? {}).length === 0) {
    yield makeProblem("labels", "field-needed", "Labelling needs the labels to set.");
  }
  if (operation !== "label" && labels !== undefined) {
    yield makeProblem("labels", "field-excluded", `Labels have no meaning for ${operation}.`);
  }
}

async function findMembers(
  app: App,
  { scopes }: Caller,
  { clusters, selector }: BatchOrder,
  problems: Problem[],
): Promise<readonly BatchMember[]> {
  if (clusters === undefined && selector === undefined) {
    problems.push(makeProblem("clusters", "field-needed", "Neither clusters nor a selector are named."));
    return [];
  }
  if (clusters !== undefined && selector !== undefined) {
    problems.push(makeProblem("selector", "field-excluded", "Clusters are named already."));
    return [];
  }
  if (clusters !== undefined) return await findNamed(app, scopes, clusters, problems);
  const read = readSelector(selector ?? "", problems);
  const members = read === null ? [] : await app.store.batches.findMembers({ selector: read }, scopes);
  if (read !== null && members.length === 0) {
    problems.push(makeProblem("selector", "too-few", "The selector meets no cluster."));
  }
  if (members.length > MOST_MEMBERS) {
    const message = `The selector meets ${members.length} clusters; at most ${MOST_MEMBERS} go into one batch.`;
    problems.push(makeProblem("selector", "too-many", message));
  }
  return members;
}

/** In the order in which they were named. */
async function findNamed(
  app: App,
  scopes: readonly LabelSelector[],
  names: readonly string[],
  problems: Problem[],
): Promise<readonly BatchMember[]> {
  const found = new Map((await app.store.batches.findMembers({ names }, scopes)).map((one) => [one.name, one]));
  const seen = new Set<string>();
  return names.flatMap((name, index) => {
    const path = `clusters[${index}]`;
    const member = found.get(name);
    if (member === undefined) problems.push(makeProblem(path, "unknown-value", `There is no cluster named "${name}".`));
    if (seen.has(name)) problems.push(makeProblem(path, "duplicate", `"${name}" is named twice.`));
    seen.add(name);
    return member === undefined ? [] : [member];
  });
}

function readSelector(text: string, problems: Problem[]): LabelSelector | null {
  const parsed = parseLabelSelector(text);
  if (parsed.ok) return parsed.selector;
  for (const { position, message } of parsed.errors) {
    problems.push(makeProblem("selector", "bad-format", `At ${position + 1}: ${message}`));
  }
  return null;
}
