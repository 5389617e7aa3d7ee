/**
 * Whether everything is asked for, as `npm run e2e:all` does. Otherwise a suite tells one story for each of its targets,
 * and leaves sweeps and variations out.
 */
export const WITH_EVERYTHING = process.env.DROVER_E2E_ALL === "1";
