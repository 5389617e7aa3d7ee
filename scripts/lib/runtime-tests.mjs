/**
 * What depends on the Node.js that runs it: SQLite (node:sqlite where there is one), processes, threads, streams, files,
 * and a whole start. CI runs these on Node.js 24 too; everything else is the same JavaScript on both.
 */
export const RUNTIME_TESTS = [
  "drover/src/app/document-reader.test.ts",
  "drover/src/connectors/local/",
  "drover/src/http/live/",
  "drover/src/http/server.test.ts",
  "drover/src/lib/",
  "drover/src/main/run-file.test.ts",
  "drover/src/main/store-commands.test.ts",
  "drover/src/main/up.test.ts",
  "drover/src/providers/simulated/file-world.test.ts",
  "drover/src/store/backup/",
  "drover/src/store/secrets/",
  "drover/src/store/sqlite/",
  "scripts/lib/",
];

/**
 * Puts the list in the place of `--runtime`.
 *
 * @param {readonly string[]} args
 */
export function expandRuntime(args) {
  return args.flatMap((arg) => (arg === "--runtime" ? RUNTIME_TESTS : [arg]));
}
