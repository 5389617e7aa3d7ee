// A thread of its own, as the tests themselves stand still while they wait for a program.
import { connect, createServer } from "node:net";
import { parentPort, workerData } from "node:worker_threads";

const API_PORT = 6443;
const PATIENCE_MS = 2_000;
const { host, addresses } = workerData;

let turn = 0;
const server = createServer((client) => {
  turn += 1;
  const from = turn % addresses.length;
  void forward(client, [...addresses.slice(from), ...addresses.slice(0, from)]);
});
server.listen(0, host, () => parentPort.postMessage(server.address().port));

/** The first that takes the connection answers. */
async function forward(client, backends) {
  client.on("error", () => client.destroy());
  for (const address of backends) {
    const backend = await reach(address);
    if (backend === null) continue;
    backend.on("error", () => client.destroy());
    backend.on("close", () => client.destroy());
    client.on("close", () => backend.destroy());
    client.pipe(backend).pipe(client);
    return;
  }
  client.destroy();
}

function reach(address) {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port: API_PORT, timeout: PATIENCE_MS });
    const fail = () => {
      socket.destroy();
      resolve(null);
    };
    socket.once("timeout", fail);
    socket.once("error", fail);
    socket.once("connect", () => {
      socket.setTimeout(0);
      socket.off("timeout", fail);
      socket.off("error", fail);
      resolve(socket);
    });
  });
}
