// Writes docs/options.md from the options table; with --check it only says whether the file is up to date.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { OPTION_NAMES, OPTIONS } from "../src/config/options.ts";

const FILE = fileURLToPath(new URL("../../docs/options.md", import.meta.url));

const HEAD = `<!-- Generated from drover/src/config/options.ts by \`npm run generate\`. -->
# Options

An option can be given as a flag, as an environment variable, or under its name in a YAML file that \`--config\` or
\`DROVER_CONFIG\` names. A flag wins over the environment, that over the file, that over the default. All mistakes are
reported at once, before anything starts.

A relative path in the file means a place beside the file. Durations are written like \`30s\`, \`5m\`, \`12h\`, \`90d\`.
A variable that is set to nothing counts as not set. A password belongs into a variable or into the file (mode 0600),
never on the command line; Drover refuses it there.

`;

function renderOption(name: (typeof OPTION_NAMES)[number]): string {
  const { description, reason, flag, env, type, default: preset } = OPTIONS[name];
  const shown = preset.replace("{data}", "~/.local/share").replace("{dataDir}", "<dataDir>");
  return `## ${name}

${description}

| flag | variable | type | default |
| --- | --- | --- | --- |
| \`${flag}\` | \`${env}\` | ${type.word} | ${shown === "" ? "none" : `\`${shown}\``} |

${reason}
`;
}

const wanted = HEAD + OPTION_NAMES.map(renderOption).join("\n");
if (!process.argv.includes("--check")) writeFileSync(FILE, wanted);
else if (readFileSync(FILE, "utf8") !== wanted) {
  process.stdout.write("docs/options.md does not show the options table as it is; run `npm run generate`.\n");
  process.exitCode = 1;
}
