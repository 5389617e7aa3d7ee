import { type Machine, machineRoutes } from "@drover/contract";
import { type Command, Option } from "commander";
import type { CallInput } from "../client/api-client.ts";
import { addExamples, type CommandContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { addOutput, collect, type OutputFlags, parseCount } from "../flags.ts";
import { renderList } from "../render/output.ts";
import { machines } from "../resources/machines.ts";
import { type Session, talk, wordsOf } from "../session.ts";
import { UsageError } from "../usage-error.ts";
import { expandAll } from "./expand-range.ts";
import { type AccessFlags, bastionKeys, parseAccess } from "./parse-access.ts";
import { type ListedMachine, readMachineList } from "./read-list.ts";
import { waitForLooks } from "./wait-for-looks.ts";

interface Given extends AccessFlags, OutputFlags {
  readonly address?: readonly string[];
  readonly hostKey?: string;
  readonly filename?: string;
  readonly wait?: boolean;
}

type Body = NonNullable<CallInput<typeof machineRoutes.enrollMachines>["body"]>["machines"];

export function defineEnroll(command: Command, context: CommandContext): void {
  const enroll = command.command("enroll").description("make machines known, one, a range or a list; all or none");
  addAccess(
    enroll
      .argument("[name...]", "names; web-[1-3] stands for three")
      .option("--address <address>", "where each is, in the order of the names; a range as well; repeatable", collect)
      .option("--host-key <fingerprint>", "SHA256:… as `ssh-keygen -l` prints it; the first one met when left out"),
  )
    .option(
      "-f, --filename <file>",
      "list of machines as CSV, YAML or JSON; - is standard input; flags fill in the rest",
    )
    .addOption(new Option("--wait", "wait until each was looked at; exit code 1 when one cannot be used"));
  addExamples(
    addOutput(enroll),
    "drover machine enroll web-[1-3] --address 10.0.0.[11-13] --credential ssh-key --label rack=a",
    "drover machine enroll db-1 --address 10.0.0.21 --user admin --sudo passwordless --credential ssh-key",
    "drover machine enroll -f machines.csv --credential ssh-key",
  );
  talk(enroll, context, enrollMachines);
}

export const addAccess = (command: Command): Command =>
  command
    .option("--user <user>", "user to log in as; root when left out")
    .option("--port <port>", "port of sshd; 22 when left out", parseCount)
    .option(
      "--credential <secret>",
      "secret with privateKey (and passphrase) or password; secret:entry names one entry",
    )
    .option("--sudo <how>", "how to become root: none, passwordless, or password:<secret>")
    .option("--bastion <user@host:port>", "machine to go through")
    .option("--bastion-credential <secret>", "key or password for it; the same as for the machines when left out")
    .option("--bastion-host-key <fingerprint>", "fingerprint of its host key")
    .option("--label <key=value>", "label to select it by; repeatable", collect);

async function enrollMachines(session: Session, given: Given, args: Parameters<typeof wordsOf>[0]): Promise<number> {
  const { client, terminal, colours } = session;
  const access = parseAccess(given);
  const listed = given.filename === undefined ? [] : await readMachineList(given.filename, terminal);
  const all: readonly ListedMachine[] = [...listed, ...nameMachines(wordsOf(args), given)];
  if (all.length === 0) throw new UsageError("Name a machine and its --address, or give a list with -f.");
  if (given.hostKey !== undefined && all.length > 1)
    throw new UsageError("--host-key is for one machine; a list has a column hostKey.");
  const hostKey = given.hostKey === undefined ? {} : { hostKey: given.hostKey };
  // The server checks every field of every machine, and says all that is wrong at once.
  const body = {
    machines: all.map((machine) => ({
      ...access,
      ...hostKey,
      ...machine,
      ...bastionOf(machine, given),
    })) as unknown as Body,
  };
  const { items } = await client.call(machineRoutes.enrollMachines, { body });
  const shown = given.wait === true ? await waitForLooks(session, items) : items;
  if (given.output !== "table" || given.wait === true) terminal.out(renderList(machines, shown, given.output, colours));
  else for (const { name } of items) terminal.out(`machine/${name} enrolled\n`);
  return given.wait === true && shown.some(cannotBeUsed) ? EXIT.error : EXIT.ok;
}

/** What the list leaves out of it comes from the flags, as everything else does. */
function bastionOf({ bastion }: ListedMachine, given: Given): object {
  if (typeof bastion === "object" && bastion !== null) return { bastion: { ...bastionKeys(given), ...bastion } };
  if (given.bastion === undefined && Object.keys(bastionKeys(given)).length > 0)
    throw new UsageError("--bastion-credential and --bastion-host-key need a --bastion.");
  return {};
}

export const cannotBeUsed = ({ state }: Machine): boolean => state !== "Reachable";

function nameMachines(words: readonly string[], { address = [] }: Given): readonly ListedMachine[] {
  const [names, addresses] = [expandAll(words), expandAll(address)];
  if (names.length === addresses.length) return names.map((name, at) => ({ name, address: addresses[at] }));
  throw new UsageError(
    `Each machine needs an address: ${names.length} named, ${addresses.length} given with --address. Write it like \`drover machine enroll web-1 --address 10.0.0.11\`.`,
  );
}
