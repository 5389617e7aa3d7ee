const FILLER = "Pulling layers of the node image; this text is as long as what programs usually print. ".repeat(2);

/** Nanoseconds of a clock that all processes of the machine share. */
export const stamp = () => process.hrtime.bigint();

/** What a log line holds; the time at which it was made comes first in its text. */
export const makeText = () => `${stamp()} ${FILLER}`;

/** A line as Drover sends it. */
export const makeLine = (line) => ({
  ...{ line, time: new Date().toISOString(), step: "install", host: "node-1", stream: "stdout" },
  text: makeText(),
});
