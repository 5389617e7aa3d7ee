export const TEMPLATES = ["templates"] as const;
