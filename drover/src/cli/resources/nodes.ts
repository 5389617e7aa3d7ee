import { clusterDetailRoutes } from "@drover/contract";
import type { CallAnswer } from "../client/api-client.ts";
import { UsageError } from "../usage-error.ts";
import type { Resource } from "./resource.ts";

export type Node = CallAnswer<typeof clusterDetailRoutes.listNodes>["items"][number];

type Amount = Node["cpu"];

export const nodes: Resource<Node> = {
  kind: "node",
  words: ["nodes", "node", "no"],
  nameOf: ({ name }) => name,
  columns: [
    { title: "NAME", value: ({ name }) => name },
    { title: "STATUS", value: ({ status }) => status },
    { title: "ROLES", value: ({ roles }) => roles.join(",") },
    { title: "VERSION", value: ({ version }) => version ?? "" },
    { title: "ADDRESS", value: ({ address }) => address ?? "" },
    { title: "CPU", wide: true, value: ({ cpu }) => describeAmount(cpu) },
    { title: "MEMORY", wide: true, value: ({ memory }) => describeAmount(memory, inGibibytes) },
    { title: "PODS", wide: true, value: ({ pods }) => describeAmount(pods) },
  ],
  list: async (client, { names: [name] }) => {
    if (name === undefined)
      throw new UsageError("Name the cluster whose nodes are meant: `drover get nodes <cluster>`.");
    return (await client.call(clusterDetailRoutes.listNodes, { params: { name } })).items;
  },
};

const inGibibytes = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)}Gi`;

const describeAmount = ({ capacity, used }: Amount, write: (amount: number) => string = String): string =>
  used === null ? write(capacity) : `${write(used)}/${write(capacity)}`;
