import { ROLES, tokenRoutes } from "@drover/contract";
import { type Command, Option } from "commander";
import { addExamples, type CommandContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { addOutput, collect, type OutputFlags, parseLifetime } from "../flags.ts";
import { renderList } from "../render/output.ts";
import { tokens } from "../resources/others.ts";
import { type Session, talk, wordOf } from "../session.ts";
import { UsageError } from "../usage-error.ts";

interface Given {
  readonly role: (typeof ROLES)[number];
  readonly scope?: readonly string[];
  readonly lifetime?: number;
}

export function define(command: Command, context: CommandContext): void {
  const list = addOutput(command.command("list").description("your tokens; for administrators those of everyone"));
  addExamples(list, "drover token list");
  talk<OutputFlags>(list, context, async ({ client, terminal, colours }, { output }) => {
    const { items } = await client.call(tokenRoutes.listTokens, {});
    terminal.out(renderList(tokens, items, output, colours));
    return EXIT.ok;
  });

  const create = command.command("create").description("make a token for a program; it is shown once");
  create
    .argument("<name>", "what it is for")
    .addOption(new Option("--role <role>", "what it may do").choices(ROLES).default("viewer"))
    .option("--scope <selector>", "only clusters with these labels; repeatable", collect)
    .option("--lifetime <time>", "how long it works; for ever when left out", parseLifetime);
  addExamples(create, "drover token create ci --role operator --scope env=dev --lifetime 30d");
  talk(create, context, createToken);

  const revoke = command
    .command("revoke")
    .description("make a token useless at once")
    .argument("<name-or-id>", "which token");
  addExamples(revoke, "drover token revoke ci");
  talk(revoke, context, revokeToken);
}

/** Only the token goes to standard output, so that it can go straight into a file. */
async function createToken({ client, terminal }: Session, given: Given, args: Parameters<typeof wordOf>[0]) {
  const { role, scope, lifetime } = given;
  const { token, secret } = await client.call(tokenRoutes.createToken, {
    body: {
      ...{ name: wordOf(args), role },
      ...(scope === undefined ? {} : { scopes: [...scope] }),
      ...(lifetime === undefined ? {} : { lifetimeSeconds: lifetime }),
    },
  });
  terminal.out(`${secret}\n`);
  terminal.err(`token/${token.name} made, expires: ${token.expiresTime ?? "never"}. Keep it: it is not shown again.\n`);
  return EXIT.ok;
}

async function revokeToken({ client, terminal }: Session, _given: object, args: Parameters<typeof wordOf>[0]) {
  const wanted = wordOf(args);
  const { items } = await client.call(tokenRoutes.listTokens, {});
  const found = items.filter(({ id, name }) => id === wanted || name === wanted);
  const [token] = found;
  if (token === undefined)
    throw new UsageError(`There is no token ${wanted}. \`drover token list\` lists those there are.`);
  if (found.length > 1)
    throw new UsageError(`${found.length} tokens are called ${wanted}; name one by its id (\`-o wide\`).`);
  await client.call(tokenRoutes.revokeToken, { params: { id: token.id } });
  terminal.out(`token/${token.name} is revoked\n`);
  return EXIT.ok;
}
