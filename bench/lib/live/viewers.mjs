// Many viewers of one log in one process; some of them never read.
import { WebSocket } from "ws";
import { stamp } from "./lines.mjs";
import { serveOrders } from "./processes.mjs";

const { url, headers, healthy, stalled } = JSON.parse(process.argv[2]);
/** So many look into every line; the others at the first and the last of each message. */
const THOROUGH = 4;
const OPENING = '{"line":';

let latencies = null;
let waiting = null;
const viewers = Array.from({ length: healthy }, (_, index) => ({ last: 0, isThorough: index < THOROUGH }));

function receive(viewer, message) {
  const first = message.indexOf(OPENING);
  if (first < 0) return;
  const final = message.lastIndexOf(OPENING);
  const range = [readNumber(message, first + OPENING.length), readNumber(message, final + OPENING.length)];
  if (range[0] !== viewer.last + 1) fail(`line ${range[0]} came after line ${viewer.last}`);
  const isReached = waiting !== null && viewer.last < waiting.line && range[1] >= waiting.line;
  viewer.last = range[1];
  if (viewer.isThorough) checkThoroughly(message, range);
  if (latencies !== null) latencies.push(Number(stamp() - readStamp(message, final)) / 1e6);
  if (isReached) countReached(1);
}

function checkThoroughly(message, [first, final]) {
  const { lines = null, ...line } = JSON.parse(message.toString());
  const numbers = (lines ?? [line]).map((one) => one.line);
  if (numbers.length !== final - first + 1 || numbers.some((number, index) => number !== first + index)) {
    fail(`lines ${first} to ${final} are not all there`);
  }
}

const readNumber = (message, at) => Number.parseInt(message.latin1Slice(at, at + 12), 10);
const readStamp = (message, from) => {
  const at = message.indexOf('"text":"', from) + 8;
  return BigInt(message.latin1Slice(at, message.indexOf(" ", at)));
};

function fail(text) {
  console.error(`A viewer is not served right: ${text}.`);
  process.exit(1);
}

function countReached(more) {
  waiting.missing -= more;
  if (waiting.missing > 0) return;
  const { resolve } = waiting;
  waiting = null;
  resolve({ at: String(stamp()) });
}

async function connect(onMessage) {
  const socket = new WebSocket(url, { headers, perMessageDeflate: false });
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  if (onMessage === null) socket.pause();
  else socket.on("message", onMessage);
  socket.on("close", () => fail("its connection was closed"));
}

for (const viewer of viewers) await connect((message) => receive(viewer, message));
for (let count = 0; count < stalled; count++) await connect(null);

serveOrders(
  {},
  {
    /** Answers when every viewer that reads has seen a line, with the time of that. */
    reach: ({ line }) =>
      new Promise((resolve) => {
        waiting = { line, resolve, missing: viewers.length };
        countReached(viewers.filter(({ last }) => last >= line).length);
      }),
    watchLatency: async () => {
      latencies = [];
    },
    tellLatency: async () => {
      const sorted = Float64Array.from(latencies).sort();
      latencies = null;
      const at = (share) => sorted[Math.floor((sorted.length - 1) * share)];
      return { p50: at(0.5), p99: at(0.99), count: sorted.length };
    },
  },
);
