import { ROLES, userRoutes } from "@drover/contract";
import { type Command, Option } from "commander";
import { addExamples, type CommandContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { addOutput, collect, type OutputFlags } from "../flags.ts";
import { renderList } from "../render/output.ts";
import { users } from "../resources/others.ts";
import { type Session, talk, wordOf } from "../session.ts";
import { UsageError } from "../usage-error.ts";

interface Given {
  readonly role?: (typeof ROLES)[number];
  readonly scope?: readonly string[];
  readonly displayName?: string;
  readonly passwordStdin?: boolean;
  readonly disable?: boolean;
  readonly enable?: boolean;
}

export function define(command: Command, context: CommandContext): void {
  const list = addOutput(command.command("list").description("all users"));
  addExamples(list, "drover user list");
  talk<OutputFlags>(list, context, async ({ client, terminal, colours }, { output }) => {
    terminal.out(renderList(users, (await client.call(userRoutes.listUsers, {})).items, output, colours));
    return EXIT.ok;
  });
  const create = addFacts(command.command("create").description("make a user"));
  addExamples(create, "drover user create alice --role operator --scope env=dev --password-stdin < password.txt");
  talk(create, context, createUser);
  const change = addFacts(
    command.command("change").description("change a user; a new role, scope or password signs the user out"),
  );
  change.option("--disable", "let the user in no more").option("--enable", "let the user in again");
  addExamples(change, "drover user change alice --role viewer");
  talk(change, context, changeUser);
}

function addFacts(command: Command): Command {
  return command
    .argument("<name>", "user name")
    .addOption(new Option("--role <role>", "what the user may do").choices(ROLES))
    .option("--scope <selector>", "only clusters with these labels; repeatable", collect)
    .option("--display-name <name>", "what to call the user")
    .option("--password-stdin", "read the password from standard input; otherwise it is asked for");
}

async function createUser({ client, terminal }: Session, given: Given, args: Parameters<typeof wordOf>[0]) {
  const password = given.passwordStdin
    ? await readPassword(terminal)
    : await terminal.ask("Password: ", { hidden: true });
  const { role = "viewer", scope, displayName } = given;
  const user = await client.call(userRoutes.createUser, {
    body: {
      ...{ name: wordOf(args), role },
      ...(scope === undefined ? {} : { scopes: [...scope] }),
      ...(displayName === undefined ? {} : { displayName }),
      // Without one the user can only come through an OpenID provider.
      ...(password === null || password === "" ? {} : { password }),
    },
  });
  terminal.out(`user/${user.name} made as ${user.role}\n`);
  return EXIT.ok;
}

async function changeUser({ client, terminal }: Session, given: Given, args: Parameters<typeof wordOf>[0]) {
  const name = wordOf(args);
  const { items } = await client.call(userRoutes.listUsers, {});
  const user = items.find((one) => one.name === name);
  if (user === undefined) throw new UsageError(`There is no user ${name}. \`drover user list\` lists those there are.`);
  const { role, scope, displayName, disable, enable } = given;
  const body = {
    ...(role === undefined ? {} : { role }),
    ...(scope === undefined ? {} : { scopes: [...scope] }),
    ...(displayName === undefined ? {} : { displayName }),
    ...(disable === undefined && enable === undefined ? {} : { disabled: disable === true }),
    ...(given.passwordStdin ? { password: await readPassword(terminal) } : {}),
  };
  if (Object.keys(body).length === 0) throw new UsageError("Say what to change; `--help` lists what there is.");
  await client.call(userRoutes.changeUser, { params: { id: user.id }, body });
  terminal.out(`user/${name} changed\n`);
  return EXIT.ok;
}

const readPassword = async ({ readInput }: Session["terminal"]): Promise<string> =>
  (await readInput()).replace(/\r?\n$/, "");
