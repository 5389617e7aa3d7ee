/**
 * Functions that run inside the page. They stand alone: nothing from outside them is there.
 */

/** Before anything of the page runs: keeps what the browser tells about paints and interactions. */
export function watchPage() {
  const seen = { lcp: 0, events: [] };
  globalThis.bench = seen;
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) seen.lcp = startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const { interactionId, duration, name } of list.getEntries())
      if (interactionId > 0) seen.events.push({ interactionId, duration, name });
  }).observe({ type: "event", durationThreshold: 16, buffered: true });
}

export function readPaints() {
  const paint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN;
  return { paint, lcp: globalThis.bench.lcp };
}

/** Every interaction by the longest of its events. What was too short to be told counts as the shortest that is. */
export function readInteractions() {
  const longest = new Map();
  for (const { interactionId, duration } of globalThis.bench.events)
    longest.set(interactionId, Math.max(duration, longest.get(interactionId) ?? 0));
  const told = [...longest.values()];
  const untold = Math.max(0, performance.interactionCount - told.length);
  return [...told, ...Array.from({ length: untold }, () => 16)];
}

/** Keeps how long every frame took until it is read. */
export function watchFrames() {
  const frames = { times: [], long: [], on: true };
  globalThis.benchFrames = frames;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) frames.long.push(duration);
  }).observe({ type: "long-animation-frame" });
  let last;
  const frame = (now) => {
    if (last !== undefined) frames.times.push(now - last);
    last = now;
    if (frames.on) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

export function readFrames() {
  const { times, long } = globalThis.benchFrames;
  globalThis.benchFrames.on = false;
  return { times, long };
}

/**
 * Goes to an address within the app, as a click on a link would, and waits until what is looked for is there and the
 * page answers: three frames in a row of less than 50 ms. Resolves with how long that took.
 */
export function goAndSettle({ to, selector, text, patienceMs }) {
  return new Promise((resolve, reject) => {
    const begin = performance.now();
    let shown;
    let last = begin;
    let calm = 0;
    const isThere = () =>
      [...document.querySelectorAll(selector)].some((one) => text === undefined || one.textContent.includes(text));
    const frame = (now) => {
      calm = now - last < 50 ? calm + 1 : 0;
      last = now;
      if (shown === undefined && isThere()) {
        shown = performance.now() - begin;
        calm = 0;
      }
      if (shown !== undefined && calm >= 3) resolve({ shown, settled: performance.now() - begin });
      else if (now - begin > patienceMs) reject(new Error(`${to} was not there within ${patienceMs} ms.`));
      else requestAnimationFrame(frame);
    };
    history.pushState({}, "", to);
    dispatchEvent(new PopStateEvent("popstate", { state: {} }));
    requestAnimationFrame(frame);
  });
}
