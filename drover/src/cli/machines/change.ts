import { type Machine, machineRoutes } from "@drover/contract";
import type { Command } from "commander";
import { addExamples, type CommandContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { parsePairs } from "../flags.ts";
import { type Session, talk, wordOf, wordsOf } from "../session.ts";
import { UsageError } from "../usage-error.ts";
import { expandAll } from "./expand-range.ts";

export function defineChanges(command: Command, context: CommandContext): void {
  const label = command
    .command("label")
    .description("set labels of a machine, or take them off")
    .argument("<name>", "which machine; web-[1-3] stands for three")
    .argument("<label...>", "key=value sets one, key- takes it off");
  addExamples(label, "drover machine label web-1 rack=b spare-");
  talk(label, context, labelMachines);

  const forget = command
    .command("forget")
    .description("forget machines that no cluster uses; nothing is changed on them")
    .argument("<name...>", "which machines; web-[1-3] stands for three");
  addExamples(forget, "drover machine forget web-1");
  talk(forget, context, async ({ client, terminal }, _given, args) => {
    for (const name of expandAll(wordsOf(args))) {
      await client.call(machineRoutes.forgetMachine, { params: { name } });
      terminal.out(`machine/${name} forgotten\n`);
    }
    return EXIT.ok;
  });

  const accept = command
    .command("accept-key")
    .description("pin the host key that a machine shows now, after you compared it with the one on its console")
    .argument("<name>", "which machine")
    .argument(
      "<fingerprint>",
      "SHA256:… as `drover machine facts` tells it, to be compared with `ssh-keygen -l` on the machine",
    )
    .option("--bastion", "it is the key of the machine that it is reached through");
  addExamples(accept, "drover machine accept-key web-1 SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU");
  talk<{ readonly bastion?: boolean }>(accept, context, async ({ client, terminal }, { bastion }, args) => {
    const [name, fingerprint] = [wordOf(args), wordOf(args, 1)];
    const of = bastion === true ? "bastion" : "machine";
    await client.call(machineRoutes.acceptHostKey, { params: { name }, body: { fingerprint, of } });
    terminal.out(`machine/${name} is known by ${fingerprint} from now on\n`);
    return EXIT.ok;
  });
}

async function labelMachines({ client, terminal }: Session, _given: object, args: Parameters<typeof wordOf>[0]) {
  const words = wordsOf(args, 1);
  const [off, on] = [words.filter((word) => !word.includes("=")), words.filter((word) => word.includes("="))];
  for (const word of off)
    if (!word.endsWith("-")) throw new UsageError(`"${word}" must be key=value, or key- to take it off.`);
  for (const name of expandAll([wordOf(args)])) {
    const { body: machine, etag } = await client.callWithEtag(machineRoutes.getMachine, { params: { name } });
    const kept = Object.entries(machine.labels).filter(([key]) => !off.includes(`${key}-`));
    const labels = { ...Object.fromEntries(kept), ...parsePairs(on) };
    const body = { ...accessOf(machine), labels };
    await client.call(machineRoutes.changeMachine, { params: { name }, body, ifMatch: etag ?? "*" });
    terminal.out(`machine/${name} labelled\n`);
  }
  return EXIT.ok;
}

const accessOf = ({ address, port, user, credential, bastion, sudo }: Machine) => ({
  ...{ address, port, user, credential, sudo },
  ...(bastion === undefined ? {} : { bastion }),
});
