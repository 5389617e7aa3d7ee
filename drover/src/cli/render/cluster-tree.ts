import type { Cluster, clusterDetailRoutes, jobRoutes } from "@drover/contract";
import type { CallAnswer } from "../client/api-client.ts";
import { describeAge } from "./age.ts";
import { type Colours, paintState } from "./colour.ts";
import { makeCell } from "./table.ts";
import type { Branch } from "./tree.ts";

type Job = CallAnswer<typeof jobRoutes.getJob>;
type Step = CallAnswer<typeof jobRoutes.getGraph>["steps"][number];

/** All that is known about one cluster. */
export interface ClusterFacts {
  readonly cluster: Cluster;
  readonly nodes: CallAnswer<typeof clusterDetailRoutes.listNodes> | null;
  readonly job: Job | null;
  readonly steps: readonly Step[];
}

const MARKS: Readonly<Record<Step["state"], string>> = {
  Pending: "·",
  Running: "▸",
  Succeeded: "✔",
  Skipped: "✔",
  Failed: "✘",
  Blocked: "–",
  Canceled: "–",
};

/** Cluster → conditions → nodes → job → steps. */
export function describeCluster(facts: ClusterFacts, colours: Colours, now: number): Branch {
  const { cluster, nodes, job, steps } = facts;
  const { metadata, spec, status } = cluster;
  const phase = [status?.phase ?? "Pending", ...(status?.modifiers ?? [])].map((word) => paintState(colours, word));
  const version = status?.kubernetesVersion ?? spec.kubernetes?.version ?? "";
  const facets = [
    spec.provider,
    version,
    `generation ${metadata.generation ?? "?"}`,
    `${describeAge(metadata.creationTimestamp, now)} old`,
  ];
  const error = status?.lastError;
  return {
    cells: [
      colours.bold(`cluster/${metadata.name}`),
      phase.join(", "),
      colours.dim(facets.filter((one) => one !== "").join(" · ")),
    ],
    branches: [
      ...(status?.endpoint === undefined ? [] : [{ cells: [`Endpoint ${status.endpoint}`] }]),
      ...(spec.imported?.locked === true ? [{ cells: ["Locked: only observed until `drover adopt`"] }] : []),
      ...describeCapacity(status?.capacity),
      ...describeCertificates(status?.certificates, colours, now),
      ...(error === undefined
        ? []
        : [
            {
              cells: [
                colours.red(
                  makeCell(`Last error ${error.message} (${error.code}), ${describeAge(error.time, now)} ago`),
                ),
              ],
            },
          ]),
      {
        cells: ["Conditions"],
        branches: (status?.conditions ?? []).map((one) => describeCondition(one, colours, now)),
      },
      describeNodes(nodes, colours, now),
      ...(job === null ? [] : [describeJob(job, steps, colours, now)]),
    ],
  };
}

type Status = NonNullable<Cluster["status"]>;

function describeCapacity(capacity: Status["capacity"]): readonly Branch[] {
  if (capacity === undefined) return [];
  const { cpu, memory, pods } = capacity;
  const told = [
    `${describeAmount(cpu, (thousandths) => String(thousandths / 1_000))} cores`,
    `${describeAmount(memory, (bytes) => (bytes / GIB).toFixed(1))} GiB`,
    `${describeAmount(pods)} pods`,
  ];
  return [{ cells: [`Capacity ${told.join(", ")}`] }];
}

const GIB = 2 ** 30;

function describeAmount(
  { capacity, used }: { readonly capacity: number; readonly used?: number | undefined },
  write: (amount: number) => string = String,
): string {
  return used === undefined ? write(capacity) : `${write(used)} of ${write(capacity)}`;
}

/** Long enough to see to it. */
const SOON_MS = 30 * 24 * 3_600_000;

function describeCertificates(certificates: Status["certificates"], colours: Colours, now: number): readonly Branch[] {
  const ends = [
    ["Certificate of the API server", certificates?.serverEndTime],
    ["Certificate of the kubeconfig", certificates?.clientEndTime],
  ] as const;
  return ends.flatMap(([what, end]) => {
    if (end === undefined) return [];
    const text = `${what} until ${end.slice(0, 10)}`;
    return [{ cells: [Date.parse(end) - now < SOON_MS ? colours.yellow(text) : text] }];
  });
}

type Condition = NonNullable<NonNullable<Cluster["status"]>["conditions"]>[number];

/** Of most conditions True is good; these tell of trouble. */
const BAD_WHEN_TRUE = new Set(["Stalled", "Drifted", "Expiring", "CertificatesExpire"]);

function describeCondition(
  { type, status, reason, message, lastTransitionTime }: Condition,
  colours: Colours,
  now: number,
): Branch {
  const isGood = (status === "True") !== BAD_WHEN_TRUE.has(type);
  const paint = status === "Unknown" ? colours.yellow : isGood ? colours.green : colours.red;
  return {
    cells: [type, paint(status), reason, describeAge(lastTransitionTime, now), isGood ? "" : makeCell(message)],
  };
}

function describeNodes(nodes: ClusterFacts["nodes"], colours: Colours, now: number): Branch {
  if (nodes === null) return { cells: ["Nodes (not to be seen before the cluster is ready)"] };
  const ready = nodes.items.filter(({ status }) => status !== "NotReady" && status !== "Unknown").length;
  return {
    cells: [`Nodes (${ready}/${nodes.items.length} ready, seen ${describeAge(nodes.seenTime, now)} ago)`],
    branches: nodes.items.map(({ name, status, roles, version, address }) => ({
      cells: [
        name,
        (status === "Ready" ? colours.green : colours.yellow)(status),
        roles.join(","),
        version ?? "",
        address ?? "",
      ],
    })),
  };
}

function describeJob(job: Job, steps: readonly Step[], colours: Colours, now: number): Branch {
  const percent = job.percent === null || job.finishedTime !== null ? "" : ` ${job.percent} %`;
  const when = `${describeAge(job.finishedTime ?? job.createdTime, now)} ago`;
  return {
    cells: [
      `Job ${job.cluster}/${job.number} ${job.kind}: ${paintState(colours, job.state)}${percent}, ${when}, by ${job.createdBy}`,
    ],
    branches: [
      ...(job.error === null ? [] : [{ cells: [colours.red(makeCell(`${job.error.message} (${job.error.code})`))] }]),
      ...steps.map(({ title, host, state, error }) => ({
        cells: [
          `${MARKS[state]} ${title}`,
          paintState(colours, state),
          host,
          error === null ? "" : makeCell(error.message),
        ],
      })),
    ],
  };
}
