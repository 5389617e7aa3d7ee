import type { StepState } from "@drover/contract";

/** What is needed to draw a step; those of a plan have no state yet. */
export interface DrawnStep {
  readonly id: string;
  readonly title: string;
  readonly host: string;
  readonly after: readonly string[];
  readonly state: StepState;
}

/** A step, or several of one task folded into one. */
export interface StepGroup {
  readonly id: string;
  readonly title: string;
  readonly host: string | null;
  readonly state: StepState;
  readonly steps: readonly DrawnStep[];
  readonly after: readonly string[];
}

/** The worst first: what a folded group shows of its members. */
const WEIGHT: readonly StepState[] = ["Failed", "Running", "Canceled", "Blocked", "Pending", "Succeeded", "Skipped"];

/** The state of several steps as one. Some done and some waiting is running. */
export function joinStates(states: readonly StepState[]): StepState {
  const found = WEIGHT.find((state) => states.includes(state)) ?? "Pending";
  const isUnderWay = found === "Pending" && states.some((state) => state === "Succeeded" || state === "Skipped");
  return isUnderWay ? "Running" : found;
}

/** Where most steps run, which therefore says nothing: the worker itself. */
export const isOwnHost = (host: string | null): boolean => host === null || host === "local";

/** Ids are module/task/step/host: the first two parts are the task. */
export const taskOf = (id: string): string => id.split("/").slice(0, 2).join("/");

export const titleOfTask = (task: string): string => {
  const words = (task.split("/").at(-1) ?? task).replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Folds the steps of each task into one, except of those that are opened; edges lead between what is left. */
export function foldSteps(steps: readonly DrawnStep[], isOpen: (task: string) => boolean): readonly StepGroup[] {
  const nameOf = new Map<string, string>();
  const members = new Map<string, DrawnStep[]>();
  const sizes = new Map<string, number>();
  for (const { id } of steps) sizes.set(taskOf(id), (sizes.get(taskOf(id)) ?? 0) + 1);
  for (const step of steps) {
    const task = taskOf(step.id);
    const group = isOpen(task) || sizes.get(task) === 1 ? step.id : task;
    nameOf.set(step.id, group);
    members.set(group, [...(members.get(group) ?? []), step]);
  }
  return [...members].map(([id, inside]) => {
    const [first] = inside;
    const after = new Set(inside.flatMap((step) => step.after.map((before) => nameOf.get(before) ?? before)));
    after.delete(id);
    const isAlone = inside.length === 1 && first !== undefined;
    return {
      id,
      title: isAlone ? first.title : titleOfTask(id),
      host: isAlone ? first.host : null,
      state: joinStates(inside.map(({ state }) => state)),
      steps: inside,
      after: [...after].filter((before) => members.has(before)),
    };
  });
}
