import { clusterRoutes, SUPPORTED_KUBERNETES, templateRoutes } from "@drover/contract";
import { type Command, InvalidArgumentError, Option } from "commander";
import { stringify } from "yaml";
import { addExamples, type CommandContext } from "../command.ts";
import type { Accepted } from "../declare-document.ts";
import { addReason, addWait, collect, parseCount, parsePairs, type ReasonFlags, type WaitFlags } from "../flags.ts";
import { type Session, talk, wordOf } from "../session.ts";
import { UsageError } from "../usage-error.ts";
import { tellAccepted, waitForAll } from "../wait-for-all.ts";

interface Given extends ReasonFlags, WaitFlags {
  readonly provider?: (typeof BY_FLAGS)[number];
  readonly kubernetesVersion?: string;
  readonly controlPlanes?: number;
  readonly workers?: number;
  readonly label?: readonly string[];
  readonly template?: string;
  readonly set?: readonly string[];
  readonly dryRun?: boolean;
}

/** Those whose whole settings fit into flags. */
const BY_FLAGS = ["kind", "k3d", "simulated"] as const;

export function define(command: Command, context: CommandContext): void {
  command.argument("<kind>", "what to create: cluster", parseKind).argument("<name>", "its name");
  command
    .addOption(new Option("--provider <provider>", "where it lives").choices(BY_FLAGS))
    .option(
      "--kubernetes-version <version>",
      `as v1.${SUPPORTED_KUBERNETES.newest}.0; left out, the one that the provider takes by itself`,
    )
    .option("--control-planes <count>", "number of control planes", parseCount)
    .option("--workers <count>", "number of workers", parseCount)
    .option("--label <key=value>", "a label; repeatable", collect)
    .option("--template <template>", "make it from a template instead")
    .option("--set <name=value>", "a parameter of the template; repeatable", collect)
    .option("--dry-run", "print the document that would be declared; change nothing");
  addWait(addReason(command));
  addExamples(
    command,
    "drover create cluster demo --provider simulated --wait",
    "drover create cluster dev-1 --provider simulated --workers 2 --label env=dev",
    "drover create cluster dev-2 --provider kind --dry-run > kind.yaml",
  );
  talk(command, context, run);
}

function parseKind(text: string): string {
  if (text === "cluster") return text;
  throw new InvalidArgumentError("Only clusters are created this way; it must be: cluster.");
}

async function run(session: Session, given: Given, args: Parameters<typeof wordOf>[0]): Promise<number> {
  const name = wordOf(args, 1);
  if (given.template !== undefined)
    return await finish(session, given, await instantiate(session, name, given.template, given));
  const data = makeDocument(name, given);
  if (given.dryRun) {
    session.terminal.out(stringify(data));
    return 0;
  }
  const query = { reason: given.reason };
  return await finish(session, given, await session.client.call(clusterRoutes.declareCluster, { query, body: data }));
}

async function finish(session: Session, { wait }: Given, accepted: Accepted): Promise<number> {
  tellAccepted(session, "created", accepted);
  return wait === true ? await waitForAll(session, [accepted]) : 0;
}

async function instantiate({ client }: Session, cluster: string, name: string, { set = [], reason, dryRun }: Given) {
  if (dryRun) throw new UsageError("--dry-run shows documents made by flags; a template cannot be tried out this way.");
  const parameters = parsePairs(set);
  const body = { cluster, parameters, ...(reason === undefined ? {} : { reason }) };
  return await client.call(templateRoutes.instantiateTemplate, { params: { name }, body });
}

const OUR_WORDS = { controlPlanes: "controlPlanes", workers: "workers" };
const K3D_WORDS = { controlPlanes: "servers", workers: "agents" };

function makeDocument(name: string, given: Given) {
  const { provider, kubernetesVersion, controlPlanes, workers, label = [] } = given;
  if (provider === undefined) {
    throw new UsageError(
      `Say where ${name} shall live with --provider (${BY_FLAGS.join(", ")}), or name a --template.`,
    );
  }
  const labels = parsePairs(label);
  const words = provider === "k3d" ? K3D_WORDS : OUR_WORDS;
  return {
    apiVersion: "drover.dev/v1alpha1",
    kind: "Cluster",
    metadata: { name, ...(label.length === 0 ? {} : { labels }) },
    spec: {
      provider,
      ...(kubernetesVersion === undefined ? {} : { kubernetes: { version: kubernetesVersion } }),
      [provider]: {
        ...(controlPlanes === undefined ? {} : { [words.controlPlanes]: controlPlanes }),
        ...(workers === undefined ? {} : { [words.workers]: workers }),
      },
    },
  };
}
