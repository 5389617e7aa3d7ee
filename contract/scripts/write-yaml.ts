/**
 * Plain data as YAML, the same bytes every time: keys in their order, no anchors, no line folding.
 * Every text that YAML could read as something else is quoted as in JSON, which YAML understands.
 */
export function writeYaml(value: unknown): string {
  return `${writeBlock(value, "")}\n`;
}

/** Starts like a word and holds nothing that has a meaning in YAML. */
const PLAIN = /^[A-Za-z][A-Za-z0-9 ./_-]*[A-Za-z0-9./_-]$|^[A-Za-z]$/;
const WORDS_WITH_MEANING = /^(true|false|yes|no|on|off|null|y|n)$/i;

function writeBlock(value: unknown, indent: string): string {
  if (Array.isArray(value)) return value.map((item) => `${indent}- ${writeItem(item, `${indent}  `)}`).join("\n");
  const entries = Object.entries(value as object);
  return entries.map(([key, item]) => `${indent}${writeScalar(key)}:${writeValue(item, indent)}`).join("\n");
}

function writeItem(item: unknown, indent: string): string {
  return isFilled(item) ? writeBlock(item, indent).slice(indent.length) : writeScalar(item);
}

function writeValue(value: unknown, indent: string): string {
  if (!isFilled(value)) return ` ${writeScalar(value)}`;
  return `\n${writeBlock(value, Array.isArray(value) ? indent : `${indent}  `)}`;
}

function isFilled(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function writeScalar(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return PLAIN.test(value) && !WORDS_WITH_MEANING.test(value) ? value : JSON.stringify(value);
}
