/** @param {readonly number[]} values */
export function median(values) {
  return quantile(values, 0.5);
}

/**
 * Between two values, the straight line between them.
 *
 * @param {readonly number[]} values
 * @param {number} share 0.5 is the median
 */
export function quantile(values, share) {
  if (values.length === 0) throw new Error("There is no quantile of nothing.");
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const low = sorted[below];
  const high = sorted[Math.min(below + 1, sorted.length - 1)];
  return low + (high - low) * (place - below);
}
