// Hands on what comes in at each port, after a while: `<ms> <from>:<to> …`. Order is kept, and nothing is lost.
import { connect, createServer } from "node:net";

const [delay, ...pairs] = process.argv.slice(2);
const delayMs = Number(delay);

const pass = (from, to) => {
  from.setNoDelay(true);
  from.on("data", (chunk) => setTimeout(() => to.writable && to.write(chunk), delayMs));
  from.on("end", () => setTimeout(() => to.end(), delayMs));
  from.on("error", () => to.destroy());
};

for (const pair of pairs) {
  const [from, to] = pair.split(":").map(Number);
  createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port: to, host: "127.0.0.1", allowHalfOpen: true });
    pass(near, far);
    pass(far, near);
  }).listen(from, "127.0.0.1");
}
