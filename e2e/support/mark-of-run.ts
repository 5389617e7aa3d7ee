/**
 * What a process that a test starts has to be given where it does not inherit everything: with it, a process that is
 * left behind is found at the end of the run.
 */
export function markOfRun(): NodeJS.ProcessEnv {
  const { TMPDIR, DROVER_TEST_FOLDER } = process.env;
  return {
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
    ...(DROVER_TEST_FOLDER === undefined ? {} : { DROVER_TEST_FOLDER }),
  };
}
