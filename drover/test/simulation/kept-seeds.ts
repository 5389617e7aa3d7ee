import type { Story } from "./story.ts";

/**
 * Seeds that once broke an invariant, by the story that they were found in, with what was wrong. They are played in
 * every test run.
 */
export const KEPT_SEEDS: Readonly<Record<Story, Readonly<Record<number, string>>>> = {
  swarm: {
    67986373: "a declaration that said absent was stored with a create that could not begin",
    358697540: "the check gave up on a cluster while a worker's blindness was not over (a defect of the simulation)",
    1080339708: "a cluster stayed Unknown after the store had gone away between its status and the close of its look",
  },
  uniform: {
    18: "after the clock was set back nobody looked for days, and drift stayed",
    23: "a job that was declared before the clock was set back waited for days",
    125: "the log writer kept a write that had ended, and its flush never let go of the event loop",
    244: "a worker that got its own job back let go of it when its earlier attempt ended, again and again",
    994: "a look that was begun before the clock was set back, and never ended, was not begun again for hours",
    1287: "writes that are made together are told of later than they were made",
    4137: "repairs that waited because everything had broken at once did not say so",
    9459: "a cluster that was hibernated before it was whole again could not be woken",
    9638: "a cluster that was lost before it was hibernated could not be woken",
    94923553: "a cancelled create left what a worker had made that died before it could say that it had begun",
    9898: "a plan that was begun together with others was told of after the job had been claimed again",
  },
};
