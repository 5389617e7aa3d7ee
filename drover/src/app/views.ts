import { DroverError } from "@drover/contract";
import { newId } from "../lib/ids.ts";
import { systemClock } from "../ports/clock.ts";
import type { LibraryEntry } from "../ports/store/index.ts";
import type { App, Request } from "./app.ts";
import type { Caller } from "./caller.ts";

/** How somebody likes to look at the list of clusters. */
export interface View {
  readonly id: string;
  /** The name of who saved it. */
  readonly owner: string;
  readonly title: string;
  readonly query: string;
  readonly shared: boolean;
}

type StoredView = Omit<View, "id"> & { readonly ownerId: string };

const toView = ({ name, body }: LibraryEntry): View & StoredView => ({ ...(body as unknown as StoredView), id: name });

const present = ({ id, owner, title, query, shared }: View): View => ({ id, owner, title, query, shared });

/** One's own, and those that others share. */
export async function listViews(app: App, { userId }: Caller): Promise<readonly View[]> {
  const views = (await app.store.library.listEntries("view")).map(toView);
  return views.filter(({ ownerId, shared }) => shared || ownerId === userId).map(present);
}

export async function saveView(
  app: App,
  { userId, actor }: Caller,
  content: Pick<View, "title" | "query" | "shared">,
  request: Pick<Request, "idempotency">,
): Promise<View> {
  const owner = await ownerName(app, userId, actor.name);
  const body: StoredView = { ...content, owner, ownerId: userId };
  const entry = await app.store.library.createEntry(actor, {
    ...{ kind: "view", name: newId(systemClock.now()), body: { ...body } },
    ...request,
  });
  if (entry === null) throw new Error("Two views got the same random id.");
  return present(toView(entry));
}

async function ownerName(app: App, userId: string, usual: string): Promise<string> {
  return (await app.store.access.findUser({ id: userId }))?.name ?? usual;
}

/** A view of somebody else is as if it were not there, also when it is shared. */
export async function deleteView(app: App, { userId, actor }: Caller, id: string): Promise<void> {
  const entry = await app.store.library.getEntry("view", id);
  const isOwn = entry !== null && toView(entry).ownerId === userId;
  if (isOwn && (await app.store.library.deleteEntry(actor, "view", id))) return;
  throw new DroverError("view-not-found", `You have no view ${id}.`);
}
