import { makeProblem, type NewMachine, type Problem } from "@drover/contract";
import { secretNamesIn } from "../../domain/secret-names.ts";
import { NAMED_SECRETS, type TakenPlace } from "../../ports/store/index.ts";
import type { App, Request } from "../app.ts";
import { assertMayLabel, type Caller } from "../caller.ts";
import { refused } from "../declare-cluster.ts";
import { assertMayUseSecretsNamed } from "../secrets.ts";
import { type ShownMachine, showMachines } from "./read-machines.ts";

/** All of them or none; whatever is wrong with any of them is said at once. */
export async function enrollMachines(
  app: App,
  caller: Caller,
  machines: readonly NewMachine[],
  request: Pick<Request, "idempotency">,
): Promise<readonly ShownMachine[]> {
  for (const { labels = {} } of machines) assertMayLabel(caller, labels);
  await assertMayUseSecretsNamed(app, caller, secretNamesIn(machines));
  const accesses = machines.map((access, at) => ({ path: pathOf(at), access }));
  const problems = [...findTwins(machines), ...(await findAccessProblems(app, accesses))];
  if (problems.length > 0) {
    const taken = await app.store.machines.findTaken(machines);
    throw refused([...problems, ...taken.map((one) => describeTaken(one, pathOf(one.at)))]);
  }
  // Not asked before: whoever repeats a request finds the machines that it has enrolled itself.
  const done = await app.store.machines.enrollMachines(caller.actor, machines, request);
  if ("taken" in done) throw refused(done.taken.map((one) => describeTaken(one, pathOf(one.at))));
  return await showMachines(app, caller, done.machines);
}

const pathOf = (at: number): string => `machines[${at}]`;

function* findTwins(machines: readonly NewMachine[]): Generator<Problem> {
  const names = new Map<string, number>();
  const places = new Map<string, number>();
  for (const [at, { name, address, port }] of machines.entries()) {
    const place = `${address} ${port}`;
    const [sameName, samePlace] = [names.get(name), places.get(place)];
    if (sameName !== undefined) {
      yield makeProblem(`${pathOf(at)}.name`, "duplicate", `${pathOf(sameName)} is called ${name} as well.`);
    }
    if (samePlace !== undefined) {
      yield makeProblem(`${pathOf(at)}.address`, "duplicate", `${pathOf(samePlace)} is at ${address}:${port} as well.`);
    }
    names.set(name, sameName ?? at);
    places.set(place, samePlace ?? at);
  }
}

type Access = Pick<NewMachine, "credential" | "bastion" | "sudo">;

/** What is wrong with how machines are reached; each path is where the access stands. */
export async function findAccessProblems(
  app: App,
  accesses: readonly { readonly path: string; readonly access: Access }[],
): Promise<readonly Problem[]> {
  const stored = new Set((await app.store.secrets.listSecrets(NAMED_SECRETS)).map(({ name }) => name));
  return accesses.flatMap(({ path, access }) => [...checkSudo(access, path), ...checkSecrets(access, path, stored)]);
}

/** The password of sudo is needed with it, and meaningless without. */
function* checkSudo({ sudo }: Access, path: string): Generator<Problem> {
  const place = within(path, "sudo.credential");
  const because = `because sudo.mode is ${sudo.mode}.`;
  if (sudo.mode === "password" && sudo.credential === undefined) {
    yield makeProblem(place, "field-needed", `sudo.credential is needed ${because}`);
  } else if (sudo.mode !== "password" && sudo.credential !== undefined) {
    yield makeProblem(place, "field-excluded", `sudo.credential has no meaning ${because}`);
  }
}

/** A machine whose key is nowhere could only be told so later, one by one. */
function* checkSecrets(access: Access, path: string, stored: ReadonlySet<string>): Generator<Problem> {
  for (const [field, reference] of [
    ["credential", access.credential],
    ["bastion.credential", access.bastion?.credential],
    ["sudo.credential", access.sudo.credential],
  ] as const) {
    if (reference === undefined || stored.has(reference.name)) continue;
    const next = "Store the secret first, or name one that is there.";
    const message = `There is no secret named "${reference.name}".`;
    yield makeProblem(within(path, `${field}.name`), "unknown-value", message, next);
  }
}

const within = (path: string, field: string): string => (path === "" ? field : `${path}.${field}`);

export function describeTaken({ what, by }: TakenPlace, path: string): Problem {
  const [code, message] =
    what === "name"
      ? (["machine-name-taken", `A machine named "${by}" is enrolled already.`] as const)
      : (["machine-address-taken", `The machine "${by}" has this address and port.`] as const);
  return makeProblem(within(path, what), code, message);
}
