/** Prints how long validation takes, warm: `npx tsx contract/scripts/measure-validation.ts`. */
import { validateCluster } from "../src/cluster/validate.ts";
import { manyNodes } from "../test/documents.ts";

const document = manyNodes(100);
const times: number[] = [];
for (let round = 0; round < 3000; round += 1) {
  const start = performance.now();
  const result = validateCluster(document);
  times.push(performance.now() - start);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
}
const warm = times.slice(1000).sort((a, b) => a - b);
const at = (share: number) => (warm[Math.floor(warm.length * share)] ?? 0).toFixed(3);
process.stdout.write(`100 nodes: first ${times[0]?.toFixed(1)} ms, median ${at(0.5)} ms, p99 ${at(0.99)} ms\n`);
