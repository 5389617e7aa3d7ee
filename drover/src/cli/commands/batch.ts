import { batchRoutes } from "@drover/contract";
import { type Command, Option } from "commander";
import { sleep, systemTimer } from "../../ports/timer.ts";
import type { CallAnswer } from "../client/api-client.ts";
import { listAll } from "../client/list-all.ts";
import { addExamples, type CommandContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import {
  addOutput,
  addSelector,
  collect,
  type OutputFlags,
  parseCount,
  parsePairs,
  type SelectorFlags,
} from "../flags.ts";
import { renderList, renderOne, type Shown } from "../render/output.ts";
import { batches } from "../resources/others.ts";
import { type Session, talk, wordOf, wordsOf } from "../session.ts";
import { UsageError } from "../usage-error.ts";

type Batch = CallAnswer<typeof batchRoutes.getBatch>;
type Result = CallAnswer<typeof batchRoutes.listResults>["items"][number];

const OPERATIONS = ["reconcile", "upgrade", "label", "pause", "resume", "hibernate", "wake", "delete"] as const;
const PAUSE_MS = 1_000;

interface Given extends SelectorFlags {
  readonly cluster?: readonly string[];
  readonly kubernetesVersion?: string;
  readonly label?: readonly string[];
  readonly wave: number;
  readonly maxFailures: number;
  readonly reason: string;
  readonly consent?: boolean;
  readonly wait?: boolean;
}

const RESULTS: Shown<Result> = {
  kind: "cluster",
  nameOf: ({ cluster }) => cluster,
  columns: [
    { title: "CLUSTER", value: ({ cluster }) => cluster },
    { title: "WAVE", value: ({ wave }) => String(wave) },
    { title: "STATE", value: ({ state }) => state },
    { title: "WHAT", value: ({ message }) => message },
  ],
};

export function define(command: Command, context: CommandContext): void {
  const start = command.command("start").description("do one thing to many clusters, until too many fail");
  start
    .addArgument(start.createArgument("<operation>", "what to do").choices(OPERATIONS))
    .option("--cluster <name>", "one of the clusters; repeatable", collect)
    .option("--kubernetes-version <version>", "for upgrade: the version to go to")
    .option("--label <key=value>", "for label: what to set; repeatable", collect)
    .option("--wave <count>", "how many at once", parseCount, 10)
    .option("--max-failures <count>", "stop after so many failures", parseCount, 0)
    .requiredOption("--reason <text>", "why, for the history and the audit log")
    .option("--consent", "agree to what is recreated or removed")
    .addOption(new Option("--wait", "wait until it has ended; exit code 4 when any cluster failed"));
  addSelector(start);
  addExamples(start, "drover batch start reconcile -l env=dev --wave 5 --reason 'after the network change' --wait");
  talk(start, context, startBatch);

  const show = command
    .command("show")
    .description("one batch, and what became of each cluster")
    .argument("<id>", "which batch; latest is the newest");
  addExamples(addOutput(show), "drover batch show latest");
  talk<OutputFlags>(show, context, async ({ client, terminal, colours }, { output }, args) => {
    const params = { id: await findBatch(client, wordOf(args)) };
    const results = await listAll(client, batchRoutes.listResults, { params });
    if (output === "table")
      terminal.out(renderOne(batches, await client.call(batchRoutes.getBatch, { params }), output, colours));
    terminal.out(renderList(RESULTS, results, output, colours));
    return EXIT.ok;
  });

  const list = addOutput(command.command("list").description("batches, newest first"));
  addExamples(list, "drover batch list");
  talk<OutputFlags>(list, context, async ({ client, terminal, colours }, { output }) => {
    terminal.out(renderList(batches, await listAll(client, batchRoutes.listBatches, {}, 100), output, colours));
    return EXIT.ok;
  });

  for (const [name, route, about, done] of [
    ["pause", batchRoutes.pauseBatch, "start no further wave", "is paused"],
    ["resume", batchRoutes.resumeBatch, "go on with the next wave", "goes on"],
    ["cancel", batchRoutes.cancelBatch, "start nothing more; what runs goes on", "is cancelled"],
  ] as const) {
    const steer = command.command(name).description(about).argument("<id>", "which batch; latest is the newest");
    addExamples(steer, `drover batch ${name} latest`);
    talk(steer, context, async ({ client, terminal }, _given, args) => {
      const id = await findBatch(client, wordOf(args));
      await client.call(route, { params: { id } });
      terminal.out(`batch/${id} ${done}\n`);
      return EXIT.ok;
    });
  }
}

/** `latest` stands for the newest one. */
async function findBatch(client: Session["client"], reference: string): Promise<string> {
  if (reference !== "latest") return reference;
  const [newest] = await listAll(client, batchRoutes.listBatches, {}, 1);
  if (newest === undefined) throw new UsageError("There is no batch yet. Start one with `drover batch start`.");
  return newest.id;
}

async function startBatch(session: Session, given: Given, args: Parameters<typeof wordOf>[0]): Promise<number> {
  const { cluster, selector, kubernetesVersion, label, wave, maxFailures, reason, consent } = given;
  if ((cluster === undefined) === (selector === undefined))
    throw new UsageError("Name clusters with --cluster, or select them with -l.");
  const batch = await session.client.call(batchRoutes.createBatch, {
    body: {
      operation: wordsOf(args)[0] as (typeof OPERATIONS)[number],
      ...(cluster === undefined ? {} : { clusters: [...cluster] }),
      ...(selector === undefined ? {} : { selector }),
      ...(kubernetesVersion === undefined ? {} : { version: kubernetesVersion }),
      ...(label === undefined ? {} : { labels: parsePairs(label) }),
      ...{ waveSize: wave, maxFailures, reason },
      ...(consent === undefined ? {} : { consent }),
    },
  });
  session.terminal.out(`batch/${batch.id} started on ${batch.total} clusters; see \`drover batch show ${batch.id}\`\n`);
  return given.wait === true ? await waitForBatch(session, batch) : EXIT.ok;
}

async function waitForBatch({ client, terminal }: Session, { id }: Batch): Promise<number> {
  const stopped = new AbortController();
  const unlisten = terminal.onInterrupt(() => stopped.abort());
  let said = "";
  try {
    while (!stopped.signal.aborted) {
      const { state, done, failed, total, wave } = await client.call(batchRoutes.getBatch, { params: { id } });
      const line = `batch: wave ${wave}, ${done}/${total} done, ${failed} failed, ${state}\n`;
      if (line !== said) terminal.err(line);
      said = line;
      if (state === "Succeeded") return EXIT.ok;
      if (state === "Failed") return EXIT.jobFailed;
      if (state === "Canceled") return EXIT.jobCanceled;
      await sleep(systemTimer, PAUSE_MS, stopped.signal);
    }
    terminal.err(`The batch goes on. See \`drover batch show ${id}\`, stop it with \`drover batch cancel ${id}\`.\n`);
    return EXIT.ok;
  } finally {
    unlisten();
  }
}
