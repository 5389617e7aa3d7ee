import type { CommandEntry } from "../command.ts";

const DECLARE = "Declare:";
const LOOK = "Look:";
const ACT = "Act:";
const RUN = "Run Drover:";
const ACCESS = "Access and upkeep:";

/** Every command, in the order of the help. Each is loaded only when it is asked for. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "apply",
    group: DECLARE,
    summary: "declare the clusters of files, new or changed",
    load: () => import("./apply.ts"),
  },
  {
    name: "create",
    group: DECLARE,
    summary: "declare a cluster by flags or from a template",
    load: () => import("./create.ts"),
  },
  { name: "edit", group: DECLARE, summary: "change a cluster in your editor", load: () => import("./edit.ts") },
  {
    name: "plan",
    group: DECLARE,
    summary: "show the very steps that a file would lead to",
    load: () => import("./plan.ts"),
  },
  {
    name: "diff",
    group: DECLARE,
    summary: "show what differs: a file, two revisions, or what was seen",
    load: () => import("./diff.ts"),
  },
  { name: "delete", group: DECLARE, summary: "delete clusters", load: () => import("./delete.ts") },
  {
    name: "import",
    group: DECLARE,
    summary: "take in clusters that exist, or those of an environments.csv",
    load: () => import("./import.ts"),
  },
  { name: "get", group: LOOK, summary: "list clusters, jobs, nodes, events and more", load: () => import("./get.ts") },
  {
    name: "describe",
    group: LOOK,
    summary: "show one cluster as a tree: conditions, nodes, job, steps",
    load: () => import("./describe.ts"),
  },
  {
    name: "logs",
    group: LOOK,
    summary: "show or follow the log of a job, or Drover's own",
    load: () => import("./logs.ts"),
  },
  { name: "jobs", group: LOOK, summary: "list jobs, newest first", load: () => import("./jobs.ts") },
  { name: "history", group: LOOK, summary: "list the revisions of a cluster", load: () => import("./history.ts") },
  {
    name: "check",
    group: LOOK,
    summary: "look for drift and trouble; exit code 3 when there is any",
    load: () => import("./check.ts"),
  },
  {
    name: "doctor",
    group: LOOK,
    summary: "say what is missing on this machine or at the server, and the next move",
    load: () => import("./doctor.ts"),
  },
  { name: "cancel", group: ACT, summary: "cancel what runs for a cluster", load: () => import("./cancel.ts") },
  { name: "retry", group: ACT, summary: "go on from the step that failed", load: () => import("./retry.ts") },
  {
    name: "rollback",
    group: ACT,
    summary: "declare an earlier revision again",
    load: () => import("./rollback.ts"),
  },
  { name: "cordon", group: ACT, summary: "keep new pods away from a node", load: () => import("./cordon.ts") },
  { name: "uncordon", group: ACT, summary: "let new pods come to a node again", load: () => import("./uncordon.ts") },
  { name: "drain", group: ACT, summary: "have all pods leave a node", load: () => import("./drain.ts") },
  {
    name: "adopt",
    group: ACT,
    summary: "let Drover change a cluster that was imported",
    load: () => import("./adopt.ts"),
  },
  {
    name: "pause",
    group: ACT,
    summary: "change nothing about a cluster until it is resumed",
    load: () => import("./pause.ts"),
  },
  { name: "resume", group: ACT, summary: "end a pause", load: () => import("./resume.ts") },
  {
    name: "hibernate",
    group: ACT,
    summary: "stop a cluster and keep its data",
    load: () => import("./hibernate.ts"),
  },
  { name: "wake", group: ACT, summary: "start a stopped cluster again", load: () => import("./wake.ts") },
  { name: "protect", group: ACT, summary: "refuse deletion of a cluster", load: () => import("./protect.ts") },
  { name: "unprotect", group: ACT, summary: "allow deletion again", load: () => import("./unprotect.ts") },
  {
    name: "batch",
    group: ACT,
    summary: "do one thing to many clusters, in waves",
    load: () => import("./batch.ts"),
  },
  {
    name: "kubeconfig",
    group: ACT,
    summary: "get a kubeconfig that expires, or revoke one",
    load: () => import("./kubeconfig.ts"),
  },
  {
    name: "up",
    group: RUN,
    summary: "start Drover in one process: API, web page, store and worker",
    load: () => import("./up.ts"),
  },
  { name: "status", group: RUN, summary: "say whether Drover runs here", load: () => import("./status.ts") },
  { name: "down", group: RUN, summary: "stop the Drover that runs here", load: () => import("./down.ts") },
  {
    name: "server",
    group: RUN,
    summary: "start API and web page without a worker",
    load: () => import("./server.ts"),
  },
  {
    name: "worker",
    group: RUN,
    summary: "start a worker beside others on the same store",
    load: () => import("./worker.ts"),
  },
  {
    name: "reconcile",
    group: RUN,
    summary: "bring clusters to what was declared, and end (for cron)",
    load: () => import("./reconcile.ts"),
  },
  {
    name: "demo",
    group: RUN,
    summary: "fill a fleet of simulated clusters and judge what comes of it",
    load: () => import("./demo.ts"),
  },
  { name: "login", group: ACCESS, summary: "sign in to a server", load: () => import("./login.ts") },
  { name: "user", group: ACCESS, summary: "list, make and change users", load: () => import("./user.ts") },
  { name: "token", group: ACCESS, summary: "list, make and revoke API tokens", load: () => import("./token.ts") },
  { name: "audit", group: ACCESS, summary: "who changed what; verify the log", load: () => import("./audit.ts") },
  { name: "store", group: ACCESS, summary: "look after the store", load: () => import("./store.ts") },
  {
    name: "backup",
    group: ACCESS,
    summary: "write a consistent copy of the store, also while Drover runs",
    load: () => import("./backup.ts"),
  },
  {
    name: "restore",
    group: ACCESS,
    summary: "fill a new, empty store from a backup",
    load: () => import("./restore.ts"),
  },
  {
    name: "config",
    group: ACCESS,
    summary: "show every option and where it was set",
    load: () => import("./config.ts"),
  },
  {
    name: "completion",
    group: ACCESS,
    summary: "print what makes the Tab key work in bash, zsh or fish",
    load: () => import("./completion.ts"),
  },
  {
    name: "version",
    group: ACCESS,
    summary: "versions of this program and the server",
    load: () => import("./version.ts"),
  },
  {
    name: "__complete",
    group: ACCESS,
    summary: "words for the Tab key",
    hidden: true,
    load: () => import("./complete.ts"),
  },
];
