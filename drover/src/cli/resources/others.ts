import {
  batchRoutes,
  groupRoutes,
  secretRoutes,
  templateRoutes,
  tokenRoutes,
  userRoutes,
  workerRoutes,
} from "@drover/contract";
import type { CallAnswer } from "../client/api-client.ts";
import { listAll } from "../client/list-all.ts";
import { describeAge } from "../render/age.ts";
import { now, pickNamed, type Resource } from "./resource.ts";

type Items<A> = A extends { items: readonly (infer T)[] } ? T : never;
type Worker = Items<CallAnswer<typeof workerRoutes.listWorkers>>;
type Template = Items<CallAnswer<typeof templateRoutes.listTemplates>>;
type Batch = CallAnswer<typeof batchRoutes.getBatch>;
type Group = Items<CallAnswer<typeof groupRoutes.listGroups>>;
type Secret = Items<CallAnswer<typeof secretRoutes.listSecrets>>;
type User = Items<CallAnswer<typeof userRoutes.listUsers>>;
type Token = Items<CallAnswer<typeof tokenRoutes.listTokens>>;

const byName = ({ name }: { readonly name: string }): string => name;
const byId = ({ id }: { readonly id: string }): string => id;

export const workers: Resource<Worker> = {
  kind: "worker",
  words: ["workers", "worker"],
  nameOf: byId,
  columns: [
    { title: "ID", value: byId },
    { title: "STATE", value: ({ state }) => state },
    { title: "HOST", value: ({ host }) => host },
    { title: "JOBS", value: ({ jobs }) => String(jobs.length) },
    { title: "VERSION", value: ({ version }) => version },
    { title: "SEEN", moves: true, value: ({ lastSeenTime }) => describeAge(lastSeenTime, now()) },
    { title: "PROVIDERS", wide: true, value: ({ providers }) => providers.join(",") },
  ],
  list: async (client, { names }) => pickNamed((await client.call(workerRoutes.listWorkers, {})).items, names, byId),
};

export const templates: Resource<Template> = {
  kind: "template",
  words: ["templates", "template"],
  nameOf: byName,
  columns: [
    { title: "NAME", value: byName },
    { title: "PARAMETERS", value: ({ parameters }) => parameters.map(byName).join(",") },
    { title: "VERSION", value: ({ version }) => String(version) },
    { title: "AGE", moves: true, value: ({ updatedTime }) => describeAge(updatedTime, now()) },
    { title: "DESCRIPTION", value: ({ description }) => description ?? "" },
    { title: "BY", wide: true, value: ({ updatedBy }) => updatedBy },
  ],
  list: async (client, { names }) =>
    pickNamed((await client.call(templateRoutes.listTemplates, {})).items, names, byName),
};

export const batches: Resource<Batch> = {
  kind: "batch",
  words: ["batches", "batch"],
  nameOf: byId,
  columns: [
    { title: "ID", value: byId },
    { title: "OPERATION", value: ({ operation }) => operation },
    { title: "STATE", value: ({ state }) => state },
    { title: "DONE", value: ({ done, total }) => `${done}/${total}` },
    { title: "FAILED", value: ({ failed }) => String(failed) },
    { title: "WAVE", value: ({ wave }) => String(wave) },
    { title: "AGE", moves: true, value: ({ createdTime }) => describeAge(createdTime, now()) },
    { title: "BY", wide: true, value: ({ createdBy }) => createdBy },
    { title: "REASON", wide: true, value: ({ reason }) => reason },
  ],
  list: async (client, { names, limit = 100 }) =>
    names.length > 0
      ? await Promise.all(names.map((id) => client.call(batchRoutes.getBatch, { params: { id } })))
      : await listAll(client, batchRoutes.listBatches, {}, limit),
};

export const groups: Resource<Group> = {
  kind: "group",
  words: ["groups", "group"],
  nameOf: byName,
  columns: [
    { title: "NAME", value: byName },
    { title: "SELECTOR", value: ({ selector }) => selector },
    { title: "DESCRIPTION", value: ({ description }) => description ?? "" },
  ],
  list: async (client, { names }) => pickNamed((await client.call(groupRoutes.listGroups, {})).items, names, byName),
};

export const secrets: Resource<Secret> = {
  kind: "secret",
  words: ["secrets", "secret"],
  nameOf: byName,
  columns: [
    { title: "NAME", value: byName },
    { title: "KEYS", value: ({ keys }) => keys.join(",") },
    { title: "USED BY", value: ({ usedBy }) => usedBy.join(",") },
    { title: "AGE", moves: true, value: ({ updatedTime }) => describeAge(updatedTime, now()) },
    { title: "BY", wide: true, value: ({ updatedBy }) => updatedBy },
  ],
  list: async (client, { names }) => pickNamed((await client.call(secretRoutes.listSecrets, {})).items, names, byName),
};

export const users: Resource<User> = {
  kind: "user",
  words: ["users", "user"],
  nameOf: byName,
  columns: [
    { title: "NAME", value: byName },
    { title: "ROLE", value: ({ role }) => role },
    { title: "SCOPES", value: ({ scopes }) => scopes.join("; ") || "everything" },
    { title: "STATE", value: ({ disabled }) => (disabled ? "disabled" : "active") },
    { title: "AGE", moves: true, value: ({ createdTime }) => describeAge(createdTime, now()) },
    { title: "ID", wide: true, value: byId },
  ],
  list: async (client, { names }) => pickNamed((await client.call(userRoutes.listUsers, {})).items, names, byName),
};

export const tokens: Resource<Token> = {
  kind: "token",
  words: ["tokens", "token"],
  nameOf: byName,
  columns: [
    { title: "NAME", value: byName },
    { title: "OWNER", value: ({ owner }) => owner },
    { title: "ROLE", value: ({ role }) => role },
    { title: "SCOPES", value: ({ scopes }) => scopes.join("; ") || "everything" },
    { title: "EXPIRES", value: ({ expiresTime }) => expiresTime ?? "never" },
    {
      title: "USED",
      moves: true,
      value: ({ lastUsedTime }) => (lastUsedTime === null ? "never" : `${describeAge(lastUsedTime, now())} ago`),
    },
    { title: "ID", wide: true, value: byId },
  ],
  list: async (client, { names }) => pickNamed((await client.call(tokenRoutes.listTokens, {})).items, names, byName),
};
