import { expect, it } from "vitest";
import type { StepContext } from "../ports/step.ts";
import { readHttpCredential } from "./read-secret.ts";

function read(entries: object | null, key?: string) {
  const masked: string[] = [];
  const context = {
    readSecret: async () => (entries === null ? null : Buffer.from(JSON.stringify(entries))),
    mask: (secret: string) => void masked.push(secret),
  } as unknown as StepContext;
  return { masked, credential: readHttpCredential(context, { name: "mirror", key }) };
}

it.each([
  [{ username: "ann", password: "p" }, undefined, { username: "ann", password: "p" }],
  [{ token: "t" }, undefined, { token: "t" }],
  [{ username: "ann", password: "p", api: "t" }, "api", { token: "t" }],
])("%j with the key %s is %j", async (entries, key, wanted) => {
  const { credential, masked } = read(entries, key);
  expect(await credential).toEqual(wanted);
  expect(masked).toEqual(Object.values(entries));
});

it.each([
  [null, undefined, /not there/],
  [{ username: "ann" }, undefined, /username and password, or token/],
  [{ username: "ann", password: "p" }, "api", /needs the entry api/],
])("%j with the key %s is refused", async (entries, key, message) => {
  await expect(read(entries, key).credential).rejects.toMatchObject({ code: "secret-not-found", message });
});
