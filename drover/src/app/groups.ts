import { DroverError, makeProblem } from "@drover/contract";
import { parseLabelSelector } from "../domain/labels.ts";
import type { LibraryEntry } from "../ports/store/index.ts";
import type { App, Request } from "./app.ts";
import type { Caller } from "./caller.ts";
import { refused } from "./declare-cluster.ts";
import { assertMayShare } from "./library.ts";

/** Clusters that belong together, by their labels. */
export interface Group {
  readonly name: string;
  readonly selector: string;
  readonly description?: string;
}

type GroupContent = Omit<Group, "name">;

const toGroup = ({ name, body }: LibraryEntry): Group => ({ ...(body as unknown as GroupContent), name });

export async function listGroups(app: App): Promise<readonly Group[]> {
  return (await app.store.library.listEntries("group")).map(toGroup);
}

export async function createGroup(
  app: App,
  caller: Caller,
  { name, ...content }: Group,
  request: Pick<Request, "idempotency">,
): Promise<Group> {
  assertMayShare(caller, "groups");
  assertSelector(content.selector);
  const entry = await app.store.library.createEntry(caller.actor, {
    ...{ kind: "group", name, body: { ...content } },
    ...request,
  });
  if (entry === null) throw new DroverError("group-exists", `A group named "${name}" exists already.`);
  return toGroup(entry);
}

export async function changeGroup(app: App, caller: Caller, { name, ...content }: Group): Promise<Group> {
  assertMayShare(caller, "groups");
  assertSelector(content.selector);
  const entry = await app.store.library.replaceEntry(caller.actor, { kind: "group", name, body: { ...content } });
  if (entry === null) throw notFound(name);
  return toGroup(entry);
}

export async function deleteGroup(app: App, caller: Caller, name: string): Promise<void> {
  assertMayShare(caller, "groups");
  if (!(await app.store.library.deleteEntry(caller.actor, "group", name))) throw notFound(name);
}

const notFound = (name: string) => new DroverError("group-not-found", `There is no group named "${name}".`);

function assertSelector(text: string): void {
  const parsed = parseLabelSelector(text);
  if (parsed.ok) return;
  throw refused(
    parsed.errors.map(({ position, message }) =>
      makeProblem("selector", "bad-format", `At ${position + 1}: ${message}`),
    ),
  );
}
