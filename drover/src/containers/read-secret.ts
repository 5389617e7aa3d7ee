import { DroverError } from "@drover/contract";
import type { StepContext } from "../ports/step.ts";
import { NAMED_SECRETS } from "../ports/store/index.ts";

interface SecretReference {
  readonly name: string;
  readonly key?: string | undefined;
}

/** The entries of a secret that a spec names. From here on they are masked in the log. */
async function readEntries(context: StepContext, { name }: SecretReference): Promise<Readonly<Record<string, string>>> {
  const bytes = await context.readSecret(NAMED_SECRETS, name);
  if (bytes === null) {
    throw new DroverError(
      "secret-not-found",
      `The secret ${name} that the spec names is not there. Store it, then retry.`,
    );
  }
  const entries = JSON.parse(new TextDecoder().decode(bytes)) as Readonly<Record<string, string>>;
  for (const value of Object.values(entries)) context.mask(value);
  return entries;
}

/** The entry that is named, or the only one. */
export async function readSecretText(context: StepContext, reference: SecretReference): Promise<string> {
  const entries = await readEntries(context, reference);
  const keys = Object.keys(entries);
  const key = reference.key ?? (keys.length === 1 ? keys[0] : undefined);
  const value = key === undefined ? undefined : entries[key];
  if (value !== undefined) return value;
  throw new DroverError(
    "secret-not-found",
    `The secret ${reference.name} has no entry ${key ?? "that could be meant"}. It has ${keys.join(", ")}: name one.`,
  );
}

/** User and password, or a token: the entry that is named, or the one of that name. */
export async function readHttpCredential(
  context: StepContext,
  reference: SecretReference,
): Promise<{ readonly username: string; readonly password: string } | { readonly token: string }> {
  const entries = await readEntries(context, reference);
  const { username, password } = entries;
  const token = entries[reference.key ?? "token"];
  if (token !== undefined) return { token };
  if (reference.key === undefined && username !== undefined && password !== undefined) return { username, password };
  const needed = reference.key === undefined ? "entries username and password, or token" : `entry ${reference.key}`;
  throw new DroverError("secret-not-found", `The secret ${reference.name} needs the ${needed}.`);
}

export async function readCredential(
  context: StepContext,
  reference: SecretReference,
): Promise<{ readonly username: string; readonly password: string }> {
  const { username, password } = await readEntries(context, reference);
  if (username !== undefined && password !== undefined) return { username, password };
  throw new DroverError("secret-not-found", `The secret ${reference.name} needs the entries username and password.`);
}
