/**
 * Says that a peer is not on this machine, so that the run goes on without it. In CI, where nobody reads that, it is a
 * failure: a peer that is never there is a comparison that nobody makes.
 *
 * @param {string} peer
 * @param {string} packages What to install.
 */
export function sayLeftOut(peer, packages) {
  const message = `${peer} is not installed and left out; install ${packages}.`;
  if (process.env.CI) throw new Error(message);
  console.log(message);
}
