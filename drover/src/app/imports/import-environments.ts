import { setImmediate } from "node:timers/promises";
import {
  type Cluster,
  DroverError,
  isDroverError,
  makeProblem,
  type Problem,
  validateAgainstFleet,
} from "@drover/contract";
import type { Allocation } from "../../domain/allocation.ts";
import type { ClusterRecord } from "../../ports/store/index.ts";
import type { App, Request } from "../app.ts";
import { assertMayDeclare, type Caller, isInScope } from "../caller.ts";
import { CLAIMANTS, toDocuments as toClaimants } from "../check-fleet.ts";
import { checkDocument, chooseJobKind, refused } from "../declare-cluster.ts";
import { fleetPages } from "../fleet-pages.ts";
import { type CsvLine, readCsv } from "./csv.ts";
import {
  COLUMNS,
  type Column,
  ENVIRONMENTS_HEADER,
  type EnvironmentRow,
  OTHER_NAMES,
  toDocument,
  toRow,
  writeLine,
} from "./environment-row.ts";
import type { ImportResult } from "./import-kubeconfig.ts";

/** Each line is held against all of the fleet: more would keep others waiting for minutes. */
const MOST_LINES = 1_000;

interface JudgedLine {
  readonly line: number;
  readonly name: string;
  /** Null when there is nothing to declare: it is there already, or something is wrong. */
  readonly cluster: Cluster | null;
  readonly problems: readonly Problem[];
}

/** Declares what the lines say. With any problem nothing is stored; a line that says what is there already changes nothing. */
export async function importEnvironments(
  app: App,
  caller: Caller,
  order: { readonly csv: string; readonly dryRun: boolean },
  request: Request,
): Promise<readonly ImportResult[]> {
  const judged = await judgeLines(app, caller, readLines(order.csv));
  if (order.dryRun) return judged.map(({ line, name, problems }) => ({ cluster: name, line, jobId: null, problems }));
  const problems = judged.flatMap(({ line, problems: found }) =>
    found.map((one) => ({ ...one, path: `line ${line}: ${one.path}` })),
  );
  if (problems.length > 0) throw refused(problems);
  if (judged.some(({ cluster }) => cluster !== null)) assertMayDeclare(caller, {});
  const results: ImportResult[] = [];
  for (const one of judged) results.push(await declareLine(app, one, request));
  return results;
}

interface ReadLine {
  readonly line: number;
  readonly row: EnvironmentRow;
  /** Those that the text has; about the others it says nothing. */
  readonly columns: readonly Column[];
}

function readLines(csv: string): readonly ReadLine[] {
  const lines = readCsv(csv);
  if (lines === null) throw refused([makeProblem("csv", "bad-syntax", "A quote is opened and never closed.")]);
  const [header, ...rest] = lines;
  if (rest.length > MOST_LINES) {
    throw new DroverError("document-too-large", `The text has ${rest.length} lines; at most ${MOST_LINES} are read.`);
  }
  const columns = readHeader(header);
  return rest.map(({ line, values }) => {
    const row = Object.fromEntries(COLUMNS.map((column) => [column, ""])) as Record<Column, string>;
    for (const [index, column] of columns.entries()) row[column] = values[index] ?? "";
    return { line, row, columns };
  });
}

function readHeader(header: CsvLine | undefined): readonly Column[] {
  const names = (header?.values ?? []).map((name) => OTHER_NAMES[name.toLowerCase()] ?? name.toLowerCase());
  const problems = names
    .filter((name) => !COLUMNS.includes(name as Column))
    .map((name) =>
      makeProblem("csv", "unknown-field", `There is no column "${name}".`, `Known are ${COLUMNS.join(", ")}.`),
    );
  for (const needed of ["name", "provider"]) {
    if (!names.includes(needed)) problems.push(makeProblem("csv", "required", `The column "${needed}" is missing.`));
  }
  if (new Set(names).size < names.length) problems.push(makeProblem("csv", "duplicate", "A column is there twice."));
  if (problems.length > 0) throw refused(problems);
  return names as Column[];
}

interface Existing {
  readonly cluster: ClusterRecord;
  readonly chosen: readonly Allocation[];
}

/** A line may say what was declared, or what was chosen since: both are as the cluster is. */
const knownRows = ({ cluster: { name, spec }, chosen }: Existing): readonly EnvironmentRow[] => [
  toRow(name, spec),
  toRow(name, spec, chosen),
];

async function judgeLines(app: App, caller: Caller, lines: readonly ReadLine[]): Promise<readonly JudgedLine[]> {
  const existing = new Map<string, Existing>();
  const claimants: Cluster[] = [];
  for await (const page of fleetPages(app, {})) {
    const chosen = await app.store.read.listAllocations(page.map(({ id }) => id));
    for (const cluster of page) existing.set(cluster.name, { cluster, chosen: chosen.get(cluster.id) ?? [] });
    const some = page.filter(({ provider }) => CLAIMANTS.includes(provider));
    claimants.push(...(await toClaimants(app, some)));
  }
  const judged: JudgedLine[] = [];
  const seen = new Set<string>();
  for (const read of lines) {
    const { line, row } = read;
    const one = judgeLine(app, caller, read, existing.get(row.name), claimants);
    const twice = seen.has(row.name) ? [makeProblem("name", "duplicate", `"${row.name}" is there twice.`)] : [];
    seen.add(row.name);
    judged.push({ line, name: row.name, cluster: one.cluster, problems: [...twice, ...one.problems] });
    if (one.cluster !== null) claimants.push(one.cluster);
    await setImmediate(); // others have their turn
  }
  return judged;
}

function judgeLine(
  app: App,
  caller: Caller,
  { row, columns }: ReadLine,
  existing: Existing | undefined,
  claimants: readonly Cluster[],
): Pick<JudgedLine, "cluster" | "problems"> {
  if (existing !== undefined) {
    const differing = isInScope(caller.scopes, existing.cluster.labels)
      ? columns.filter((column) => !knownRows(existing).some((known) => known[column] === row[column]))
      : ["name" as const];
    const message = `A cluster named "${row.name}" exists already, and is not as the line says.`;
    const next = "Edit the cluster, or choose another name.";
    return { cluster: null, problems: differing.map((column) => makeProblem(column, "duplicate", message, next)) };
  }
  const { document, problems } = toDocument(row);
  if (problems.length > 0) return { cluster: null, problems };
  const checked = checkDocument(app, document);
  if (!checked.ok) return { cluster: null, problems: checked.problems };
  const clashes = validateAgainstFleet(checked.cluster, claimants);
  return clashes.length > 0 ? { cluster: null, problems: clashes } : { cluster: checked.cluster, problems: [] };
}

/** A name that was taken since it was looked at keeps out its own line only. */
async function declareLine(app: App, { line, name, cluster }: JudgedLine, request: Request): Promise<ImportResult> {
  if (cluster === null) return { cluster: name, line, jobId: null, problems: [] };
  const { spec } = cluster;
  const { idempotency: _, ...who } = request;
  try {
    const { job } = await app.store.desired.declareCluster({
      ...{ ...who, name, spec, labels: {}, annotations: {}, expectedVersion: null },
      jobKind: chooseJobKind(app, spec, null),
    });
    return { cluster: name, line, jobId: job?.id ?? null, problems: [] };
  } catch (error) {
    if (!isDroverError(error, "cluster-exists")) throw error;
    return { cluster: name, line, jobId: null, problems: [makeProblem("name", "duplicate", error.message)] };
  }
}

/** All clusters that one may see, as lines. */
export async function exportEnvironments(app: App, { scopes }: Caller): Promise<string> {
  const parts = [ENVIRONMENTS_HEADER];
  for await (const page of fleetPages(app, { scopes })) {
    const chosen = await app.store.read.listAllocations(page.map(({ id }) => id));
    parts.push(...page.map(({ id, name, spec }) => writeLine(name, spec, chosen.get(id))));
  }
  return parts.join("");
}
