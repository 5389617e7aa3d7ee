import type { z } from "zod";
import { ACCESS_OPTIONS } from "./access-options.ts";
import { type Option, option } from "./option.ts";
import {
  count,
  duration,
  host,
  hosts,
  oneOf,
  optionalPath,
  path,
  place,
  port,
  serverAddress,
  storeAddress,
} from "./option-types.ts";

export type { Option } from "./option.ts";
export type { StoreAddress } from "./option-types.ts";

const keep = (what: string, flag: string, keepFor: string, reason: string): Option<number> =>
  option({
    type: duration({ min: "1h", max: "36500d" }),
    default: keepFor,
    env: `DROVER_KEEP_${flag.replaceAll("-", "_").toUpperCase()}`,
    flag: `--keep-${flag}`,
    description: `How long to keep ${what}.`,
    reason,
  });

/**
 * Every option of the program. The key is its name in the configuration file and in code. The variables avoid
 * `DROVER_PORT` and `DROVER_SERVICE_*`: Kubernetes sets those by itself next to a Service called `drover`.
 */
export const OPTIONS = {
  dataDir: option({
    type: path,
    default: "{data}/drover",
    env: "DROVER_DATA_DIR",
    flag: "--data-dir",
    description:
      "Folder for everything Drover keeps on this machine; `$XDG_DATA_HOME/drover` where that variable is set.",
    reason:
      "The place for data of one user on Linux, so that no root is needed. `npm start` uses `data/` in the clone.",
  }),
  store: option({
    type: storeAddress,
    default: "{dataDir}/drover.db",
    env: "DROVER_STORE",
    flag: "--store",
    description: "Where the store is: the path of a SQLite file, or `postgres://user@host:5432/database`.",
    reason: "One file needs no server. Several servers or workers need PostgreSQL.",
    secret: true,
  }),
  masterKeyFile: option({
    type: path,
    default: "{dataDir}/master.key",
    env: "DROVER_MASTER_KEY_FILE",
    flag: "--master-key-file",
    description: "File with the key that protects the secrets in the store; made at the first start.",
    reason: "Outside the database, so that a copy of the database alone reveals nothing.",
  }),
  listenHost: option({
    type: host,
    default: "127.0.0.1",
    env: "DROVER_LISTEN_HOST",
    flag: "--host",
    description: "Address to listen on.",
    reason: "Loopback only: nobody else reaches a Drover that was just started to be tried out.",
  }),
  listenPort: option({
    type: port,
    default: "8420",
    env: "DROVER_LISTEN_PORT",
    flag: "--port",
    description: "Port to listen on; 0 takes any free one.",
    reason: "Not used by a common service, and outside the range that systems hand out by themselves.",
  }),
  allowedHosts: option({
    type: hosts,
    default: "",
    env: "DROVER_ALLOWED_HOSTS",
    flag: "--allowed-hosts",
    description: "Names under which a proxy in front of Drover may be asked, while Drover listens on loopback.",
    reason: "A page of another site could otherwise reach Drover through a name that it points at 127.0.0.1.",
  }),
  ...ACCESS_OPTIONS,
  logLevel: option({
    type: oneOf("trace", "debug", "info", "warn", "error", "fatal", "silent"),
    default: "info",
    env: "DROVER_LOG_LEVEL",
    flag: "--log-level",
    description: "How much to write to the program's own log (standard error, one JSON object per line).",
    reason: "Says what happened; single requests are told at `debug`.",
  }),
  resyncInterval: option({
    type: duration({ min: "1s", max: "24h" }),
    default: "30s",
    env: "DROVER_RESYNC_INTERVAL",
    flag: "--resync-interval",
    description: "How often every cluster is compared with what was declared, beside the wake-up at each change.",
    reason: "Short enough to notice changes made elsewhere soon, long enough for ten thousand clusters.",
  }),
  healthInterval: option({
    type: duration({ min: "5s", max: "24h" }),
    default: "5m",
    env: "DROVER_HEALTH_INTERVAL",
    flag: "--health-interval",
    description: "How often the health of a running cluster is checked.",
    reason: "A check talks to the cluster itself, which costs more than reading its row.",
  }),
  workerHost: option({
    type: host,
    default: "{hostname}",
    env: "DROVER_WORKER_HOST",
    flag: "--worker-host",
    description: "The name of this machine for clusters that live on one machine; must stay the same.",
    reason: "Host names are unique among the machines of a team, and people know them.",
  }),
  maxJobs: option({
    type: count({ min: 1, max: 10_000 }),
    default: "50",
    env: "DROVER_MAX_JOBS",
    flag: "--max-jobs",
    description: "How many jobs one worker has at once.",
    reason: "Jobs mostly wait for other machines; what runs on one machine at once has limits of its own.",
  }),
  maxSteps: option({
    type: count({ min: 1, max: 10_000 }),
    default: "64",
    env: "DROVER_MAX_STEPS",
    flag: "--max-steps",
    description: "How many steps of all its jobs one worker runs at once.",
    reason: "Steps mostly wait for other machines, so many at once cost little here.",
  }),
  maxStepsPerHost: option({
    type: count({ min: 1, max: 10_000 }),
    default: "8",
    env: "DROVER_MAX_STEPS_PER_HOST",
    flag: "--max-steps-per-host",
    description: "How many of them at once on one machine, other than the worker's own.",
    reason: "More at once on one machine slow each other down, and SSH servers refuse more than ten at a time.",
  }),
  maxStepsPerProvider: option({
    type: count({ min: 1, max: 10_000 }),
    default: "32",
    env: "DROVER_MAX_STEPS_PER_PROVIDER",
    flag: "--max-steps-per-provider",
    description: "How many of them at once for clusters of one provider.",
    reason: "Half of all, so that one provider that hangs leaves room for the others.",
  }),
  stepGrace: option({
    type: duration({ min: "100ms", max: "10m" }),
    default: "10s",
    env: "DROVER_STEP_GRACE",
    flag: "--step-grace",
    description: "How long a step may take to stop after its deadline or a cancellation, before nobody waits for it.",
    reason: "Half of it is for programs to end by themselves; then they are killed, and that takes a moment too.",
  }),
  stepLogLines: option({
    type: count({ min: 100, max: 100_000_000 }),
    default: "100000",
    env: "DROVER_STEP_LOG_LINES",
    flag: "--step-log-lines",
    description: "How many lines of its log a step may store; of what follows, the last hundred lines are kept.",
    reason: "More than anybody reads, little enough that a program in a loop does not fill the disk.",
  }),
  stepLogChars: option({
    type: count({ min: 10_000, max: 999_999_999 }),
    default: "10000000",
    env: "DROVER_STEP_LOG_CHARS",
    flag: "--step-log-chars",
    description: "The same in characters.",
    reason: "A hundred characters for each line.",
  }),
  logBufferChars: option({
    type: count({ min: 100_000, max: 999_999_999 }),
    default: "32000000",
    env: "DROVER_LOG_BUFFER_CHARS",
    flag: "--log-buffer-chars",
    description: "How many characters of all logs may wait in memory for the store; beyond that, lines are left out.",
    reason: "Bridges some seconds without a database at full speed, and bounds what the worker needs of memory.",
  }),
  lease: option({
    type: duration({ min: "1s", max: "10m" }),
    default: "10s",
    env: "DROVER_LEASE",
    flag: "--lease",
    description: "After how long without a sign of life the jobs of a worker go to another one.",
    reason: "Two signs of life may get lost before that, and nobody waits long for a worker that died.",
  }),
  drain: option({
    type: duration({ min: "0s", max: "24h" }),
    default: "20s",
    env: "DROVER_DRAIN",
    flag: "--drain",
    description: "How long jobs may go on after the worker was asked to stop, before they are given back.",
    reason: "Shorter than what systemd and Kubernetes give a program before they kill it.",
  }),
  jobAttempts: option({
    type: count({ min: 1, max: 1_000 }),
    default: "8",
    env: "DROVER_JOB_ATTEMPTS",
    flag: "--job-attempts",
    description: "How often a job is tried before the cluster is Stalled.",
    reason: "With doubling pauses that is some ten minutes: a restart of Docker passes, a wrong spec does not spin.",
  }),
  retryCap: option({
    type: duration({ min: "100ms", max: "24h" }),
    default: "5m",
    env: "DROVER_RETRY_CAP",
    flag: "--retry-cap",
    description: "The longest pause between two attempts of a job.",
    reason: "Long enough to leave a struggling machine alone, short enough that nobody thinks it forgot.",
  }),
  expiryWarning: option({
    type: duration({ min: "0s", max: "365d" }),
    default: "1h",
    env: "DROVER_EXPIRY_WARNING",
    flag: "--expiry-warning",
    description: "How long before the end of its time to live a cluster is shown as expiring.",
    reason: "Time enough to notice it and to set a longer one.",
  }),
  keepEvents: keep("events", "events", "90d", "A quarter of a year of history for the timeline."),
  keepJobs: keep(
    "finished jobs with their steps and logs",
    "jobs",
    "180d",
    "Half a year, so that the last upgrade can be compared with the next.",
  ),
  keepDeletedClusters: keep("the record of a deleted cluster", "deleted-clusters", "365d", "A year of proof."),
  keepIdempotencyKeys: keep("idempotency keys", "idempotency-keys", "24h", "Longer than any client tries again."),
  keepDelivered: keep("messages that were delivered", "delivered", "7d", "Long enough to look into a missing one."),
  keepEndedAccess: keep(
    "sessions and tokens after their end",
    "ended-access",
    "30d",
    "The audit log stays anyway; this is for the list of tokens.",
  ),
  keepGoneObjects: keep(
    "ledger entries of external objects that are gone",
    "gone-objects",
    "90d",
    "As long as the events that tell of them.",
  ),
  server: option({
    type: serverAddress,
    default: "",
    env: "DROVER_SERVER",
    flag: "--server",
    description: "The Drover that commands talk to; left out, the one on this machine or that of the last login.",
    reason: "On the machine that runs Drover nobody has to say where it is.",
    client: true,
  }),
  tokenFile: option({
    type: optionalPath,
    default: "",
    env: "DROVER_TOKEN_FILE",
    flag: "--token-file",
    description: "File with the token that commands show to the server; the variable DROVER_TOKEN holds one itself.",
    reason: "A token on the command line could be read by every user of the machine.",
    client: true,
  }),
  failpoint: option({
    type: place,
    default: "",
    env: "DROVER_FAILPOINT",
    flag: "--failpoint",
    description: "For the tests of Drover itself: the place in the program at which a worker kills its own process.",
    reason: "Nobody wants that anywhere else.",
    hidden: true,
  }),
} as const satisfies Record<string, Option<never> | Option>;

export type OptionName = keyof typeof OPTIONS;

export type Options = { readonly [Name in OptionName]: z.output<(typeof OPTIONS)[Name]["type"]["schema"]> };

export const OPTION_NAMES = Object.keys(OPTIONS) as OptionName[];
