/**
 * Named places in the program at which a test can make something happen, such as the end of the process. Each area
 * lists its names in a constant; a test compares those lists with the calls in the code. Unarmed, a place costs one
 * comparison.
 */
export type FailpointAction = () => void;

interface Armed {
  readonly action: FailpointAction;
  /** Passages left before the action happens. */
  passages: number;
}

let armed: Map<string, Armed> | null = null;

/** Passes a place. Does nothing unless that place was armed. */
export function failpoint(name: string): void {
  if (armed !== null) pass(armed, name);
}

/** The action happens once, when the place is passed for the `passage`-th time from now. */
export function armFailpoint(name: string, action: FailpointAction, passage = 1): void {
  armed ??= new Map();
  armed.set(name, { action, passages: passage });
}

export function disarmFailpoints(): void {
  armed = null;
}

/** Ends this process the way a power cut would: nothing is flushed, nothing is caught. */
export const killProcess: FailpointAction = () => {
  process.kill(process.pid, "SIGKILL");
};

function pass(points: Map<string, Armed>, name: string): void {
  const point = points.get(name);
  if (point === undefined) return;
  point.passages -= 1;
  if (point.passages > 0) return;
  points.delete(name);
  point.action();
}
