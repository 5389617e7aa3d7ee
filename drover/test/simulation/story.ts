/** How a seed is told. Kept seeds stay with the way in which they were found: what they draw would mean something else. */
export const STORIES = ["uniform", "swarm"] as const;
export type Story = (typeof STORIES)[number];
