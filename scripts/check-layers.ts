// Fails when an import goes against layers.json, or when imports form a cycle. Takes the tree to check, for its tests.
import { checkLayers } from "./layers/check.ts";

const complaints = checkLayers(process.argv[2] ?? process.cwd());
for (const complaint of complaints) process.stdout.write(`${complaint}\n`);
process.exitCode = complaints.length > 0 ? 1 : 0;
