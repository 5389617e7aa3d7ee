import { randomBytes } from "node:crypto";
import { type ClusterSpec, DroverError } from "@drover/contract";
import { secretNamesIn } from "../domain/secret-names.ts";
import { type Actor, NAMED_SECRETS, type SecretInfo } from "../ports/store/index.ts";
import type { App } from "./app.ts";
import type { Caller } from "./caller.ts";
import { fleetPages } from "./fleet-pages.ts";
import { assertMayShare } from "./library.ts";
import { machinePages } from "./machines/machine-pages.ts";

/** What may be seen of a secret: never its values. */
export interface NamedSecret {
  readonly name: string;
  readonly description: string;
  readonly keys: readonly string[];
  /** Names of clusters, and of machines as `machine/name`, of those that one may see. */
  readonly usedBy: readonly string[];
  readonly updatedBy: string;
  readonly updatedAt: number;
}

export interface SecretContent {
  readonly description?: string;
  readonly entries: Readonly<Record<string, string>>;
}

/** What is kept beside the value, for everybody to see. */
type Note = Pick<NamedSecret, "description" | "keys" | "updatedBy">;

/** Providers whose specs can name a secret. */
const USERS = ["kind", "k3d", "ssh", "imported"];

const toNamed = ({ name, updatedAt, note }: SecretInfo, usedBy: readonly string[]): NamedSecret => {
  const { description, keys, updatedBy } = note as unknown as Note;
  return { name, description, keys, usedBy, updatedBy, updatedAt };
};

/** All of them; for those bound to some clusters the ones that these use. */
export async function listSecrets(app: App, caller: Caller): Promise<readonly NamedSecret[]> {
  const users = await findUsers(app, caller);
  const all = await app.store.secrets.listSecrets(NAMED_SECRETS);
  const visible = caller.scopes.length === 0 ? all : all.filter(({ name }) => users.has(name));
  return visible.map((info) => toNamed(info, users.get(info.name) ?? []));
}

/** Who uses each secret. */
async function findUsers(
  app: App,
  { scopes }: Pick<Caller, "scopes">,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const users = new Map<string, string[]>();
  for await (const page of fleetPages(app, { scopes, providers: USERS })) {
    for (const { name, spec } of page) {
      for (const secret of secretNamesIn(spec)) users.set(secret, [...(users.get(secret) ?? []), name]);
    }
  }
  for await (const page of machinePages(app, { scopes })) {
    for (const { name, access } of page) {
      for (const secret of secretNamesIn(access)) {
        users.set(secret, [...(users.get(secret) ?? []), `${MACHINE_USER}${name}`]);
      }
    }
  }
  return users;
}

const MACHINE_USER = "machine/";

export async function createSecret(
  app: App,
  caller: Caller,
  name: string,
  content: SecretContent,
): Promise<NamedSecret> {
  assertMayShare(caller, "secrets");
  return await putSecret(app, caller, name, content, "be-new");
}

export async function replaceSecret(
  app: App,
  caller: Caller,
  name: string,
  content: SecretContent,
): Promise<NamedSecret> {
  assertMayShare(caller, "secrets");
  return await putSecret(app, caller, name, content, "exist");
}

async function putSecret(
  app: App,
  caller: Caller,
  name: string,
  { description = "", entries }: SecretContent,
  must: "be-new" | "exist",
): Promise<NamedSecret> {
  const note: Note = { description, keys: Object.keys(entries).sort(), updatedBy: caller.actor.name };
  const value = Buffer.from(JSON.stringify(entries));
  const secret = { owner: NAMED_SECRETS, name, value, note: { ...note } };
  const info = await app.store.secrets.putSecret(caller.actor, { ...secret, must });
  return toNamed(info, (await findUsers(app, caller)).get(name) ?? []);
}

export async function deleteSecret(app: App, caller: Caller, name: string): Promise<void> {
  assertMayShare(caller, "secrets");
  const users = (await findUsers(app, caller)).get(name) ?? [];
  if (users.length > 0) {
    const shown = users.length > SHOWN ? `${users.slice(0, SHOWN).join(", ")} …` : users.join(", ");
    const clusters = users.filter((user) => !user.startsWith(MACHINE_USER));
    const machines = users
      .filter((user) => user.startsWith(MACHINE_USER))
      .map((user) => user.slice(MACHINE_USER.length));
    throw new DroverError("secret-in-use", `The secret "${name}" is used by ${users.length} object(s): ${shown}.`, {
      details: { clusters, machines },
    });
  }
  if (await app.store.secrets.deleteSecret(caller.actor, NAMED_SECRETS, name)) return;
  throw new DroverError("secret-not-found", `There is no secret named "${name}".`);
}

const SHOWN = 10;

/** The entry that holds the kubeconfig, of a secret that an import made. */
export const KUBECONFIG_ENTRY = "kubeconfig";

export const newImportedName = (cluster: string): string => `imported.${cluster}.${randomBytes(4).toString("hex")}`;

export async function keepImportedKubeconfig(
  app: App,
  actor: Actor,
  { name, cluster, text }: { readonly name: string; readonly cluster: string; readonly text: string },
): Promise<void> {
  const note: Note = { description: `Made to import ${cluster}.`, keys: [KUBECONFIG_ENTRY], updatedBy: actor.name };
  const value = Buffer.from(JSON.stringify({ [KUBECONFIG_ENTRY]: text }));
  await app.store.secrets.putSecret(actor, { owner: NAMED_SECRETS, name, value, note: { ...note }, must: "be-new" });
}

export async function letGoOfImported(app: App, actor: Actor, name: string): Promise<void> {
  await app.store.secrets.deleteSecret(actor, NAMED_SECRETS, name);
}

/** Who is bound to some clusters may use the secrets of these, and no others: a secret opens what it was made for. */
export async function assertMayUseSecrets(app: App, caller: Caller, spec: ClusterSpec): Promise<void> {
  await assertMayUseSecretsNamed(app, caller, secretNamesIn(spec));
}

export async function assertMayUseSecretsNamed(app: App, caller: Caller, wanted: ReadonlySet<string>): Promise<void> {
  if (caller.scopes.length === 0 || wanted.size === 0) return;
  const users = await findUsers(app, caller);
  const foreign = [...wanted].filter((name) => !users.has(name));
  if (foreign.length === 0) return;
  throw new DroverError("forbidden", `Nothing within your scope uses the secret(s) ${foreign.join(", ")}.`);
}
