/** Calls `work` for 0, 1, 2 … up to `count`, at most `atOnce` of them under way. */
export async function inTurns(count, atOnce, work) {
  let next = 0;
  const goOn = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, goOn));
}
