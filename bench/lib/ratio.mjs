/**
 * The last word of every benchmark. One whose figures are missing or nothing has not measured anything, and fails.
 *
 * @param {number} ratio
 * @param {number} digits
 */
export function tellRatio(ratio, digits) {
  if (!Number.isFinite(ratio) || ratio <= 0) throw new Error(`The ratio is ${ratio}: something was not measured.`);
  console.log(`ratio=${ratio.toFixed(digits)}`);
}
