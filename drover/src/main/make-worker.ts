import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Logger } from "pino";
import { inheritedEnvironment } from "../config/inherited-environment.ts";
import type { Options } from "../config/options.ts";
import { makeArtifactDepot } from "../connectors/artifacts/artifact-depot.ts";
import { makeBackupArchive } from "../connectors/backups/backup-archive.ts";
import { KubernetesClient } from "../connectors/kubernetes/kubernetes-client.ts";
import { SshPool } from "../connectors/ssh/ssh-pool.ts";
import { examineHost } from "../doctor/examine-host.ts";
import { makePlan } from "../pipelines/make-plan.ts";
import { systemClock } from "../ports/clock.ts";
import type { Connector } from "../ports/connector.ts";
import type { Store } from "../ports/store/index.ts";
import { systemTimer } from "../ports/timer.ts";
import { makeProviders } from "../providers/index.ts";
import { FileWorld } from "../providers/simulated/file-world.ts";
import { type ExecutionParts, makeExecutePlan } from "../reconciler/execute-plan.ts";
import { Worker } from "../reconciler/worker.ts";
import { registerSteps } from "../steps/index.ts";
import { makeConnect, makeLocalConnector } from "./connect-to-host.ts";
import { describeMachine, listImagesOf } from "./examine-machine.ts";
import { makeDocker } from "./make-docker.ts";
import { makeReach } from "./reach-machine.ts";
import { makeMachines } from "./reach-machines.ts";

export interface MadeWorker {
  readonly worker: Worker;
  /** For when it has ended: connections to machines would keep the process alive for a while. */
  close(): void;
}

/** Wires one worker out of everything that it needs. */
export function makeWorker(options: Options, store: Store, log: Logger, version: string): MadeWorker {
  const [clock, timer, random] = [systemClock, systemTimer, Math.random];
  const world = new FileWorld(join(options.dataDir, "simulated.jsonl"), clock);
  const { searchPath, stepGrace: stepGraceMs, dockerHost } = options;
  const environment = inheritedEnvironment();
  const readSecret = store.secrets.getSecret.bind(store.secrets);
  const pool = new SshPool({ graceMs: stepGraceMs / 2 });
  const machines = makeMachines({
    ...{ pool, readSecret, agentSocket: options.sshAgent },
    listObjects: (query) => store.read.listExternalObjects(query),
    findEnrolled: async (address, port) => (await store.machines.findByPlace([{ address, port }]))[0] ?? null,
  });
  const local = makeLocalConnector({ environment, searchPath, stepGraceMs });
  const connect = makeConnect(local, machines);
  const programs: Pick<Connector, "run"> = local;
  const kubernetes = new KubernetesClient({ clock, timer, programs });
  const docker = makeDocker(dockerHost, environment);
  const providers = makeProviders({
    ...{ clock, timer, kubernetes, readSecret, simulated: { world } },
    ...{ docker, machines },
    archive: makeBackupArchive({
      ...{ folder: join(options.dataDir, "backups"), host: options.workerHost, clock, readSecret },
      seal: (name, plain) => store.secrets.seal(name, plain),
      open: (name, sealed) => store.secrets.open(name, sealed),
    }),
    depot: makeArtifactDepot({ folder: join(options.dataDir, "artifacts"), clock, timer }),
    k3d: { image: options.k3dImage, registryImage: options.k3dRegistryImage, dockerHost, patienceMs: NODE_PATIENCE_MS },
    kind: { image: options.kindImage, dockerHost, folder: join(options.dataDir, "kind") },
  });
  const steps = registerSteps({ providers, kubernetes, clock, timer });
  const hostBound = [...providers.values()].filter(({ capabilities }) => capabilities.hostBound).map(({ id }) => id);
  const identity = {
    id: `${options.workerHost}-${process.pid}-${randomBytes(3).toString("hex")}`,
    host: options.workerHost,
    providers: [...providers.keys()],
    hostBound,
  };
  const machine = describeMachine(options, {
    ...{ ...docker, programs },
    listWantedImages: () => listImagesOf(store.read, options.workerHost),
  });
  const worker = new Worker({
    ...{ store, providers, identity, clock, timer, random },
    about: { version, pid: process.pid },
    examine: (signal) => examineHost(machine, signal),
    makePlan: (request) => makePlan({ ...request, specHash: request.cluster.specHash }),
    executePlan: makeExecutePlan({ store, steps, connect, clock, timer, random, ...engineOptions(options) }),
    options: workerOptions(options),
    machines: {
      look: {
        ...{ reach: makeReach(pool), readSecret, agentSocket: options.sshAgent },
        ...{ clock, deadlineMs: FACTS_DEADLINE_MS },
      },
      options: machineOptions(options),
    },
    onError: (task, error) => log.error({ task, err: error }, "Something went wrong in the worker"),
    onBreaker: (provider, { why }) => log.warn({ provider, why }, "Automatic repairs are stopped for a while"),
    onUnlisted: (provider, why) => log.warn({ provider, why }, "What there is on this host cannot be listed"),
    onRound: ({ looked, changed, started }) => log.debug({ looked, changed, started }, "Looked at clusters"),
  });
  return { worker, close: () => pool.close() };
}

/** One set for all jobs of the process. */
function engineOptions(options: Options): Pick<ExecutionParts, "limits" | "tuning" | "logTuning" | "logBudgetChars"> {
  const { maxSteps, maxStepsPerHost, maxStepsPerProvider, stepGrace, stepLogLines, stepLogChars } = options;
  return {
    limits: {
      global: maxSteps,
      perHost: maxStepsPerHost,
      // Here, most steps wait for other machines; what loads this one is limited by its provider.
      hosts: { local: maxSteps },
      perProvider: maxStepsPerProvider,
      providers: { kind: options.maxStepsOnDocker, k3d: options.maxStepsOnDocker },
    },
    tuning: { graceMs: stepGrace, pools: { ports: options.hostPorts, subnets: options.nodeSubnets } },
    logTuning: { stepLines: stepLogLines, stepChars: stepLogChars },
    logBudgetChars: options.logBufferChars,
  };
}

function workerOptions(options: Options): ConstructorParameters<typeof Worker>[0]["options"] {
  const { lease: leaseMs, resyncInterval: resyncMs, healthInterval: healthMs } = options;
  return {
    jobs: { maxJobs: options.maxJobs, leaseMs, idleMs: resyncMs, drainMs: options.drain },
    looks: {
      ...{ resyncMs, healthMs, leaseMs: leaseMs * LOOK_LEASES },
      jitterMs: resyncMs / 3,
      batch: LOOKS_AT_ONCE,
      expiryWarningMs: options.expiryWarning,
      idleMs: resyncMs,
      gatherMs: GATHER_MS,
    },
    retry: { attempts: options.jobAttempts, baseMs: FIRST_RETRY_MS, capMs: options.retryCap },
    watch: WATCH,
  };
}

function machineOptions({ machineInterval: refreshMs, maxMachineLooks: limit, resyncInterval: idleMs }: Options) {
  return { refreshMs, limit, idleMs, leaseMs: MACHINE_LEASE_MS, gatherMs: GATHER_MS };
}

/** From the first word of a machine to its last. */
const FACTS_DEADLINE_MS = 20_000;
/** Longer than a look takes, the way there and both host keys included. */
const MACHINE_LEASE_MS = 60_000;

/** Bounds how long the event loop is held by one round. */
const LOOKS_AT_ONCE = 1_000;
/** A look at real clusters may take a while; its lease only keeps others from looking at the same time. */
const LOOK_LEASES = 6;
const GATHER_MS = 100;
/** How long k3d waits for nodes, which also has to do for images that are still to be pulled. */
const NODE_PATIENCE_MS = 180_000;
/** Together with the second look, half a second; one small read each time. */
const WATCH = { everyMs: 300, confirmMs: 200 };
const FIRST_RETRY_MS = 2_000;
