import { once } from "node:events";
import { connect } from "node:net";
import ssh2 from "ssh2";
import { makeKeyPair, makeTarget } from "./ssh-server.ts";

export interface JumpOptions {
  /** As sshd does while it holds something for a host that has gone: it does not confirm that a channel is closed. */
  readonly holdsChannels?: boolean;
  /** How long each host takes to answer. */
  readonly answers?: Promise<unknown>;
}

/** A server that only hands on connections to others, and lets everybody in. */
export async function startJump({ holdsChannels = false, answers = Promise.resolve() }: JumpOptions = {}) {
  const hostKey = makeKeyPair();
  const counts = { closed: 0 };
  const server = new ssh2.Server({ hostKeys: [hostKey.private] }, (connection) => {
    connection.on("error", () => {});
    if (holdsChannels) Reflect.set(Reflect.get(connection, "_protocol") as object, "channelClose", () => {});
    connection.on("authentication", (context) => context.accept());
    connection.on("ready", () =>
      connection.on("tcpip", (accept, reject, { destIP, destPort }) => {
        const socket = connect(destPort, destIP);
        socket.once("error", () => reject());
        const handOn = () => {
          const channel = accept();
          channel.once("close", () => counts.closed++);
          socket.removeAllListeners("error");
          for (const [from, to] of [
            [socket, channel],
            [channel, socket],
          ] as const) {
            from.on("error", () => {});
            from.on("close", () => to.destroy());
            from.pipe(to);
          }
        };
        socket.once("connect", () => void answers.then(handOn));
      }),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  return {
    counts,
    target: makeTarget(port, hostKey, makeKeyPair()),
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
