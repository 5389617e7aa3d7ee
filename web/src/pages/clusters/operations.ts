/** What can be done with many clusters at once, in the order of the buttons. */
export const OPERATIONS = ["reconcile", "upgrade", "label", "pause", "resume", "delete"] as const;
export type Operation = (typeof OPERATIONS)[number];
