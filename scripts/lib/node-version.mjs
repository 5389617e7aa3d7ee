const OLDEST = [20, 19];

/**
 * Ends the process with one sentence when this Node.js cannot run Drover. Every entry point calls it before it loads
 * anything else, so that an old Node.js never shows a stack trace instead.
 *
 * @param {string} version
 */
export function requireNode(version = process.versions.node) {
  const complaint = describeOldNode(version);
  if (complaint === undefined) return;
  process.stderr.write(`${complaint}\n`);
  process.exit(1);
}

/**
 * @param {string} version
 * @returns {string | undefined}
 */
export function describeOldNode(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `Drover needs Node.js ${OLDEST.join(".")} or newer, and this is ${version}: install a newer Node.js, then run the same command again.`;
}
