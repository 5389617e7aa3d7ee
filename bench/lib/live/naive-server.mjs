// What one would write first: every line to every viewer, one message each. Nothing is stored, nobody is checked.
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { WebSocketServer } from "ws";
import { makeLine } from "./lines.mjs";
import { serveOrders } from "./processes.mjs";

const { encodeOnce } = JSON.parse(process.argv[2]);
const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
await new Promise((resolve) => server.once("listening", resolve));

/** So many lines go out before the connections get their turn. */
const LINES_PER_TURN = 10;
let last = 0;

function broadcast() {
  const line = makeLine(++last);
  if (encodeOnce) {
    const text = JSON.stringify(line);
    for (const client of server.clients) client.send(text);
  } else for (const client of server.clients) client.send(JSON.stringify(line));
}

serveOrders(
  { url: `ws://127.0.0.1:${server.address().port}/`, headers: {} },
  {
    flood: async ({ lines }) => {
      for (let sent = 1; sent <= lines; sent++) {
        broadcast();
        if (sent % LINES_PER_TURN === 0) await nextTurn();
      }
    },
    pace: async ({ batches, batch, everyMs }) => {
      for (let turn = 0; turn < batches; turn++) {
        for (let sent = 0; sent < batch; sent++) broadcast();
        await sleep(everyMs);
      }
    },
    memory: async () => ({ rssBytes: process.memoryUsage().rss }),
  },
);
