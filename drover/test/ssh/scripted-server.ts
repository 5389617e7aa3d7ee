import { spawn } from "node:child_process";
import { once } from "node:events";
import { userInfo } from "node:os";
import ssh2, { type AuthContext, type Connection, type ParsedKey, type ServerChannel } from "ssh2";
import { parseHostKey } from "../../src/connectors/ssh/host-key.ts";
import { SSH_SEARCH_PATH } from "../../src/connectors/ssh/ssh-pool.ts";
import { type KeyPair, makeKeyPair, makeTarget, type SshServer } from "./ssh-server.ts";

export interface ScriptedServerOptions {
  readonly hostKey?: KeyPair;
  /** Left out: by the key of its target. */
  readonly authenticate?: (context: AuthContext) => void;
  /** How many sessions a connection may have. */
  readonly sessions?: number;
  /** What its shell does before each command. */
  readonly prelude?: string;
  /** What its login shell says before it does anything. */
  readonly greeting?: string;
  /** As on a slow line: the end of a command is told, and what it wrote comes later. */
  readonly late?: LateOutput;
}

export interface LateOutput {
  /** Output is held back from where this is part of it. */
  readonly from: string;
  /** Asked anew for each command: what is held back is sent then, or never. No question is answered before. */
  readonly until: () => Promise<"send" | "drop">;
}

export interface ScriptedServer extends SshServer {
  /** How many channels were asked for, and how many connections there were. */
  readonly counts: { channels: number; connections: number; mostAtOnce: number; exits: number; closed: number };
  /** Breaks every connection. */
  cut(): void;
}

/** SSH as `ssh2` serves it, with a real shell behind it: for machines without sshd, and for what sshd would not do. */
export async function startScriptedServer(options: ScriptedServerOptions = {}): Promise<ScriptedServer> {
  const { hostKey = makeKeyPair() } = options;
  const userKey = makeKeyPair();
  const accepted = ssh2.utils.parseKey(userKey.public) as ParsedKey;
  const connections = new Set<Connection>();
  const sockets = new Set<{ destroy(): unknown }>();
  const counts = { channels: 0, connections: 0, mostAtOnce: 0, exits: 0, closed: 0 };
  const server = new ssh2.Server({ hostKeys: [hostKey.private] }, (connection) => {
    counts.connections++;
    connections.add(connection);
    const socket = Reflect.get(connection, "_sock") as { destroy(): unknown };
    sockets.add(socket);
    connection.on("error", () => {});
    connection.on("close", () => {
      counts.closed++;
      connections.delete(connection);
      sockets.delete(socket);
    });
    connection.on("authentication", options.authenticate ?? ((context) => acceptKey(context, accepted)));
    connection.on("ready", () => serve(connection, options, counts));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    hostKey: parseHostKey(hostKey.public),
    target: makeTarget(port, hostKey, userKey),
    pids: [],
    counts,
    cut,
    stop: async () => {
      cut();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function acceptKey(context: AuthContext, accepted: ParsedKey): void {
  if (isKnown(context, accepted)) context.accept();
  else context.reject(["publickey"]);
}

/** Without a signature it is only asked whether the key would do. */
function isKnown(context: AuthContext, accepted: ParsedKey): boolean {
  if (context.method !== "publickey" || !accepted.getPublicSSH().equals(context.key.data)) return false;
  if (context.signature === undefined || context.blob === undefined) return true;
  return accepted.verify(context.blob, context.signature, context.hashAlgo) === true;
}

function serve(connection: Connection, options: ScriptedServerOptions, counts: ScriptedServer["counts"]): void {
  let open = 0;
  const held = new Set<Promise<unknown>>();
  connection.on("request", (_accept, reject) => void Promise.all(held).then(() => reject?.()));
  connection.on("session", (accept, reject) => {
    counts.channels++;
    if (open >= (options.sessions ?? 10)) return reject();
    open++;
    counts.mostAtOnce = Math.max(counts.mostAtOnce, open);
    const session = accept();
    session.on("close", () => open--);
    session.on("exec", (acceptExec, _reject, info) => {
      runCommand(acceptExec(), info.command, { options, counts, held });
    });
  });
}

interface Surroundings {
  readonly options: ScriptedServerOptions;
  readonly counts: ScriptedServer["counts"];
  /** Whatever the connection holds back. */
  readonly held: Set<Promise<unknown>>;
}

/** As sshd does: the end of the command is told at once, the channel stays until its output is closed. */
function runCommand(channel: ServerChannel, command: string, { options, counts, held }: Surroundings): void {
  const { prelude, greeting, late } = options;
  const { username, homedir } = userInfo();
  const child = spawn(
    "/bin/sh",
    [
      "-c",
      prelude === undefined
        ? command
        : `${prelude}
${command}`,
    ],
    {
      detached: true,
      cwd: "/",
      env: { HOME: homedir, USER: username, LOGNAME: username, PATH: SSH_SEARCH_PATH, SSH_CLIENT: "127.0.0.1 1 22" },
    },
  );
  if (greeting !== undefined) channel.write(greeting);
  for (const stream of [child.stdin, child.stdout, child.stderr, channel]) stream.on("error", () => {});
  let sent: Promise<unknown> = Promise.resolve();
  if (late === undefined) child.stdout.pipe(channel, { end: false });
  else {
    let until: Promise<"send" | "drop"> | null = null;
    child.stdout.on("data", (chunk: Buffer) => {
      if (until === null && chunk.includes(late.from)) until = late.until();
      if (until === null) return channel.write(chunk);
      sent = until.then((verdict) => verdict === "send" && channel.write(chunk));
      held.add(sent);
    });
  }
  child.stderr.pipe(channel.stderr, { end: false });
  channel.pipe(child.stdin);
  child.on("exit", (code, signal) => {
    if (signal === null) channel.exit(code ?? 0);
    else channel.exit(signal.slice(3));
    counts.exits++;
  });
  child.on("close", () => void sent.then(() => channel.end()));
  channel.on("close", () => {
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  });
}
