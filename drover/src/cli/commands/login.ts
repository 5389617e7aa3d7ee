import { hostname } from "node:os";
import { ROLES, sessionRoutes, tokenRoutes } from "@drover/contract";
import { type Command, Option } from "commander";
import { ApiClient } from "../client/api-client.ts";
import { readLogin, writeLogin } from "../client/login-file.ts";
import { addExamples, type CommandContext } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { parseLifetime } from "../flags.ts";
import { type Session, talk } from "../session.ts";
import { UsageError } from "../usage-error.ts";

interface Given {
  readonly name?: string;
  readonly passwordStdin?: boolean;
  readonly role?: (typeof ROLES)[number];
  readonly lifetime?: number;
}

const THIRTY_DAYS = 2_592_000;

export function define(command: Command, context: CommandContext): void {
  command
    .option("--name <user>", "who you are; asked for when left out")
    .option("--password-stdin", "read the password from standard input")
    .addOption(new Option("--role <role>", "keep a token that may do no more than this").choices(ROLES))
    .option("--lifetime <time>", "how long to stay signed in, as 12h or 30d; 30d when left out", parseLifetime);
  addExamples(
    command,
    "drover login --server http://127.0.0.1:8420 --name bob --password-stdin < password.txt",
    "drover login --server http://127.0.0.1:8420 --token-file token.txt",
  );
  talk(command, context, run);
}

/** Keeps a token, not the password: it expires, and can be revoked without changing the password. */
async function run(session: Session, given: Given): Promise<number> {
  const { server, environment, terminal, options } = session;
  const named = options.tokenFile === null ? environment.token : server.token;
  const token = named ?? (await signIn(session, given));
  const client = new ApiClient({ url: server.url, token });
  const { user } = await client.call(sessionRoutes.whoAmI, {});
  const logins = readLogin(environment.configDir);
  writeLogin({ ...logins, current: server.url, tokens: { ...logins.tokens, [server.url]: token } });
  terminal.out(`You are ${user.name} (${user.role}) at ${server.url}; kept in ${logins.file}.\n`);
  return EXIT.ok;
}

async function signIn({ server, terminal }: Session, given: Given): Promise<string> {
  const name = given.name ?? (await terminal.ask("User name: "));
  const password =
    given.passwordStdin === true
      ? (await terminal.readInput()).replace(/\r?\n$/, "")
      : await terminal.ask("Password: ", { hidden: true });
  if (name === null || password === null) {
    throw new UsageError("Nobody is there to ask: use --name and --password-stdin, or --token-file.");
  }
  const guest = new ApiClient({ url: server.url, token: null });
  const response = await guest.open(sessionRoutes.login, { body: { name, password } });
  const { role } = (await response.json()) as { readonly role: (typeof ROLES)[number] };
  const cookie = response.headers
    .getSetCookie()
    .map((one) => one.split(";", 1)[0])
    .join("; ");
  const headers = { cookie };
  const body = {
    name: `drover login on ${hostname()}`,
    role: given.role ?? role,
    lifetimeSeconds: given.lifetime ?? THIRTY_DAYS,
  };
  const { secret } = await guest.call(tokenRoutes.createToken, { body, headers });
  // The session was only needed to get the token.
  await guest.call(sessionRoutes.logout, { headers });
  return secret;
}
