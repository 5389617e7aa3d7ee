import { type Machine, machineRoutes } from "@drover/contract";
import { listAll } from "../client/list-all.ts";
import { describeAge } from "../render/age.ts";
import { now, type Resource } from "./resource.ts";

export const machines: Resource<Machine> = {
  kind: "machine",
  words: ["machines", "machine"],
  nameOf: ({ name }) => name,
  columns: [
    { title: "NAME", value: ({ name }) => name },
    { title: "STATE", value: ({ state }) => state },
    { title: "ADDRESS", value: ({ address, port }) => (port === 22 ? address : `${address}:${port}`) },
    { title: "CPU", value: ({ facts }) => String(facts?.cpus ?? "") },
    { title: "MEMORY", value: ({ facts }) => inGibibytes(facts?.memoryBytes) },
    { title: "SYSTEM", value: ({ facts }) => [facts?.os?.id, facts?.os?.version].filter(Boolean).join(" ") },
    { title: "CLUSTER", value: ({ usedBy }) => usedBy?.cluster ?? "" },
    {
      title: "SEEN",
      moves: true,
      value: ({ factsTime }) => (factsTime === null ? "never" : describeAge(factsTime, now())),
    },
    {
      title: "PROBLEMS",
      value: ({ problems, reason }) => [reason, ...problems.map(({ code }) => code)].filter(Boolean).join(","),
    },
    {
      title: "LABELS",
      wide: true,
      value: ({ labels }) =>
        Object.entries(labels)
          .map(([key, value]) => `${key}=${value}`)
          .join(","),
    },
    { title: "HOST KEY", wide: true, value: ({ hostKey }) => hostKey?.fingerprint ?? "" },
  ],
  list: async (client, { names, selector, limit }) =>
    names.length > 0
      ? await Promise.all(names.map((name) => client.call(machineRoutes.getMachine, { params: { name } })))
      : await listAll(client, machineRoutes.listMachines, { query: { selector } }, limit),
};

const inGibibytes = (bytes: number | null | undefined): string =>
  bytes === null || bytes === undefined ? "" : `${(bytes / 2 ** 30).toFixed(1)}Gi`;
