// The lint rules of this repository's own. Takes the tree to check, for its tests.
import { checkRules } from "./rules/run-rules.ts";

const complaints = checkRules(process.argv[2] ?? process.cwd());
for (const complaint of complaints) process.stdout.write(`${complaint}\n`);
process.exitCode = complaints.length > 0 ? 1 : 0;
