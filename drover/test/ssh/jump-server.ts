import { once } from "node:events";
import { connect } from "node:net";
import ssh2 from "ssh2";
import { makeKeyPair, makeTarget } from "./ssh-server.ts";

/** A server that only hands on connections to others, and lets everybody in. */
export async function startJump() {
  const hostKey = makeKeyPair();
  const server = new ssh2.Server({ hostKeys: [hostKey.private] }, (connection) => {
    connection.on("error", () => {});
    connection.on("authentication", (context) => context.accept());
    connection.on("ready", () =>
      connection.on("tcpip", (accept, reject, { destIP, destPort }) => {
        const socket = connect(destPort, destIP);
        socket.once("error", () => reject());
        socket.once("connect", () => {
          const channel = accept();
          socket.removeAllListeners("error");
          for (const [from, to] of [
            [socket, channel],
            [channel, socket],
          ] as const) {
            from.on("error", () => {});
            from.on("close", () => to.destroy());
            from.pipe(to);
          }
        });
      }),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  return {
    target: makeTarget(port, hostKey, makeKeyPair()),
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
