export const inGibibytes = (bytes: number | null | undefined): string =>
  bytes === null || bytes === undefined ? "–" : `${(bytes / 2 ** 30).toFixed(1)} GiB`;
