import type { Place } from "../../support/place.ts";
import { copyClusterAs } from "./store-file.ts";

interface Fault {
  readonly operation: string;
  readonly effect: string;
  readonly message?: string;
  readonly after?: number;
  readonly times?: number;
}

interface Member {
  readonly name: string;
  readonly env: string;
  readonly team: string;
  readonly region?: string;
  readonly version?: string;
  readonly workers?: number;
  readonly controlPlanes?: number;
  readonly isProtected?: boolean;
  readonly isPaused?: boolean;
  /** What differs from the document is told, not repaired. */
  readonly isOnlyReported?: boolean;
  readonly faults?: readonly Fault[];
  /** How long its steps take, shortest and longest; next to nothing when left out. */
  readonly latencyMs?: readonly [number, number];
}

const REGIONS = ["shanghai", "beijing", "shenzhen", "singapore", "tokyo", "frankfurt", "dublin", "oregon"];
const TEAMS = ["payments", "search", "platform", "identity"];
const PEOPLE = ["ada", "lin", "grace", "wei", "edsger", "mei", "barbara"];
const STORES = ["001", "002", "003", "004", "005", "006"];

const pick = (words: readonly string[], index: number): string => words[index % words.length] ?? "";

const inProduction = REGIONS.flatMap((region, index): Member[] => [
  {
    ...{
      name: `prod-${region}`,
      env: "prod",
      team: pick(TEAMS, index),
      region,
      isProtected: index === 1 || index === 2,
    },
    ...{ version: pick(["v1.33.4", "v1.33.4", "v1.32.8"], index), controlPlanes: 3, workers: 4 + (index % 4) * 2 },
  },
]);
const inStaging = TEAMS.flatMap((team, index): Member[] => [
  { name: `staging-${team}`, env: "staging", team, region: pick(REGIONS, index), version: "v1.34.0", workers: 3 },
  { name: `preview-${team}`, env: "preview", team, region: pick(REGIONS, index + 3), version: "v1.34.0", workers: 2 },
]);
const inDevelopment = PEOPLE.map(
  (person, index): Member => ({
    name: `dev-${person}`,
    env: "dev",
    team: pick(TEAMS, index),
    workers: 1 + (index % 2),
  }),
);
const atTheEdge = STORES.map(
  (store): Member => ({ name: `edge-store-${store}`, env: "edge", team: "retail", version: "v1.32.8", workers: 0 }),
);

const CI: Member = { name: "ci-amd64", env: "ci", team: "platform", workers: 3, controlPlanes: 3 };

/** Clusters that nothing is wrong with. */
const WELL: readonly Member[] = [...inProduction, ...inStaging, ...inDevelopment, ...atTheEdge, CI];

const PORT_TAKEN = "listen tcp 10.20.4.17:2379: bind: address already in use";
const NO_IMAGE = "registry.corp.example/kube-proxy:v1.34.0: pull access denied, repository does not exist";
const NO_ANSWER = "dial tcp 10.31.7.9:6443: i/o timeout";

/** Clusters with something to tell. */
const FAILED = { name: "ci-arm64", env: "ci", team: "platform", workers: 3, controlPlanes: 3 } as const;
const TROUBLED: readonly Member[] = [
  { ...FAILED, faults: [{ operation: "create", effect: "fail", message: PORT_TAKEN, after: 4 }] },
  {
    ...{ name: "ci-nightly", env: "ci", team: "search", workers: 2 },
    faults: [{ operation: "create", effect: "fail", message: NO_IMAGE, after: 1 }],
  },
  ...["edge-ferry-17", "edge-mine-03"].map(
    (name): Member => ({
      ...{ name, env: "edge", team: "retail", version: "v1.31.9", workers: 1 },
      faults: [{ operation: "observe", effect: "unreachable", message: NO_ANSWER, after: 3 }],
    }),
  ),
];
const ASLEEP = ["lab-gpu-1", "lab-gpu-2"].map(
  (name): Member => ({ name, env: "lab", team: "research", version: "v1.34.0", workers: 4 }),
);
const PAUSED: Member = {
  ...{ name: "prod-virginia", env: "prod", team: "payments", region: "virginia", version: "v1.33.4", workers: 4 },
};
const DRIFTED: Member = {
  ...{ name: "prod-mumbai", env: "prod", team: "search", region: "mumbai", version: "v1.33.4", workers: 4 },
  ...{ isOnlyReported: true, faults: [{ operation: "observe", effect: "drift", after: 3, times: 1 }] },
};
const CREATING: Member = {
  ...{ name: "prod-jakarta", env: "prod", team: "payments", region: "jakarta", version: "v1.34.0" },
  ...{ controlPlanes: 3, workers: 9, latencyMs: [5_000, 35_000] },
};
const RUNNING_LONG: Member = {
  ...{ name: "staging-retail", env: "staging", team: "retail", workers: 5, latencyMs: [20_000, 90_000] },
};

const FORTY: readonly Member[] = [...WELL, ...TROUBLED, ...ASLEEP, PAUSED, DRIFTED];

/** The cluster with a history: generations by a few people, each with a reason. */
export const CHANGED = "prod-shanghai";
export const DRIFTED_NAME = DRIFTED.name;
export const FAILED_NAME = FAILED.name;
export const CREATING_NAME = CREATING.name;

function describeMember(member: Member): string {
  const { name, env, team, region, version = "v1.34.0", workers = 2, controlPlanes = 1, faults } = member;
  const [minimumMs, maximumMs] = member.latencyMs ?? [5, 40];
  return JSON.stringify({
    apiVersion: "drover.dev/v1alpha1",
    kind: "Cluster",
    metadata: { name, labels: { env, team, ...(region === undefined ? {} : { region }) } },
    spec: {
      provider: "simulated",
      kubernetes: { version },
      maintenance: {
        ...{ protected: member.isProtected === true, paused: member.isPaused === true },
        ...(member.isOnlyReported === true ? { selfHeal: "report" } : {}),
      },
      simulated: {
        ...{ controlPlanes, workers, latency: { minimumMs, maximumMs } },
        ...(faults === undefined ? {} : { faults }),
      },
    },
  });
}

async function declare(place: Place, members: readonly Member[], ...options: readonly string[]): Promise<void> {
  place.write("fleet.yaml", members.map(describeMember).join("\n---\n"));
  await place.must("apply", "-f", "fleet.yaml", ...options);
}

interface Counts {
  readonly items: readonly { readonly metadata: { readonly name: string }; readonly status?: { phase: string } }[];
}

async function phases(place: Place): Promise<ReadonlyMap<string, string>> {
  const { items } = await place.json<Counts>("get", "clusters");
  return new Map(items.map(({ metadata, status }) => [metadata.name, status?.phase ?? ""]));
}

async function untilPhase(place: Place, names: readonly string[], phase: string): Promise<void> {
  const until = performance.now() + 120_000;
  for (;;) {
    const seen = await phases(place);
    const others = names.filter((name) => seen.get(name) !== phase).map((name) => `${name}: ${seen.get(name)}`);
    if (others.length === 0) return;
    if (performance.now() > until) throw new Error(`Not ${phase}: ${others.join(", ")}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Forty clusters as a company may have them: most are well, some sleep, a few need somebody, two are being made. */
export async function makeForty(place: Place): Promise<void> {
  await declare(place, FORTY, "--reason", "the fleet moves to Drover");
  const lastly = new Map<string, string>([
    ...[...WELL, ...ASLEEP, PAUSED].map(({ name }) => [name, "Running"] as const),
    ...TROUBLED.map(({ name }) => [name, name.startsWith("ci") ? "Unavailable" : "Unknown"] as const),
  ]);
  for (const phase of new Set(lastly.values())) {
    await untilPhase(
      place,
      [...lastly].filter(([, one]) => one === phase).map(([name]) => name),
      phase,
    );
  }
  await changeOne(place);
  for (const { name } of ASLEEP) await place.must("hibernate", name, "--reason", "nobody trains at night");
  await declare(place, [{ ...PAUSED, isPaused: true }], "--reason", "frozen until the audit is over");
  await declare(place, [{ ...PAUSED, isPaused: true, version: "v1.34.0", workers: 6 }], "--reason", "for the sale");
  await untilPhase(
    place,
    ASLEEP.map(({ name }) => name),
    "Hibernated",
  );
  await declare(place, [CREATING, RUNNING_LONG], "--reason", "a region of its own for Indonesia");
  await untilPhase(place, [CREATING.name], "Creating");
}

async function changeOne(place: Place): Promise<void> {
  const [member] = inProduction;
  if (member === undefined) return;
  const bigger = { ...member, workers: 6 };
  await declare(place, [bigger], "--wait", "--reason", "room for the autumn sale");
  const newer = { ...bigger, version: "v1.34.0" };
  await declare(place, [newer], "--wait", "--reason", "v1.33 ends in June");
  const larger = { ...newer, workers: 8, team: "checkout", isProtected: true };
  await declare(place, [larger], "--wait", "--reason", "checkout takes it over");
}

/** Whose copies are numbered together, so that those in trouble stand among the others, as they do in a real list. */
const FAMILIES: readonly { readonly name: string; readonly share: number; readonly members: readonly string[] }[] = [
  { name: "ci-runner", share: 0.1, members: times(9, CI.name).concat(FAILED.name, times(5, CI.name), "ci-nightly") },
  { name: "dev", share: 0.3, members: inDevelopment.map(({ name }) => name) },
  { name: "edge-store", share: 0.4, members: times(25, "edge-store-001").concat("edge-ferry-17") },
  { name: "lab-gpu", share: 0.02, members: ASLEEP.map(({ name }) => name) },
  { name: "prod", share: 0.18, members: [...inProduction, ...inProduction, PAUSED].map(({ name }) => name) },
];

function times(count: number, name: string): string[] {
  return Array.from({ length: count }, () => name);
}

/** Adds copies until there are as many clusters as asked for, in states as a fleet of that size has them. */
export function fillUpTo(place: Place, total: number): void {
  const missing = total - FORTY.length - 2;
  const namesOf = new Map<string, string[]>();
  let left = missing;
  for (const [index, { name, share, members }] of FAMILIES.entries()) {
    const count = index === FAMILIES.length - 1 ? left : Math.floor(missing * share);
    left -= count;
    for (let number = 1; number <= count; number += 1) {
      const source = pick(members, number);
      namesOf.set(source, [...(namesOf.get(source) ?? []), `${name}-${String(number).padStart(4, "0")}`]);
    }
  }
  for (const [source, names] of namesOf) copyClusterAs(place, source, names);
}
