// Hands on what comes in at each port, all together at most so many bytes a second: `<bytes> <from>:<to> …`. What comes
// back is not slowed down.
import { connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const [rate, ...pairs] = process.argv.slice(2);
const bytesPerMs = Number(rate) / 1_000;
let freeAt = performance.now();

/** When the link has carried so much more. */
async function carry(bytes) {
  freeAt = Math.max(freeAt, performance.now()) + bytes / bytesPerMs;
  await sleep(freeAt - performance.now());
}

async function narrow(from, to) {
  for await (const chunk of from) {
    await carry(chunk.length);
    if (!to.writable) return;
    to.write(chunk);
  }
  to.end();
}

for (const pair of pairs) {
  const [from, to] = pair.split(":").map(Number);
  createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
    const far = connect({ port: to, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
    narrow(near, far).catch(() => far.destroy());
    far.pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ]) {
      one.on("error", () => other.destroy());
    }
  }).listen(from, "127.0.0.1");
}
