// Builds the page and weighs it: more JavaScript than the budget allows is a failure.
import { ensureBuild } from "./lib/ensure-build.mjs";
import { inRoot } from "./lib/paths.mjs";
import { weighBuild } from "./lib/web-budget.mjs";

await ensureBuild();
for (const { name, kilobytes, limit } of weighBuild(inRoot("web/dist"))) {
  const isOver = kilobytes > limit;
  if (isOver) process.exitCode = 1;
  process.stdout.write(`${isOver ? "OVER" : "ok  "} ${name.padEnd(24)} ${kilobytes.toFixed(1)} of ${limit} kB\n`);
}
