/**
 * Of a cluster in a test whose provider runs real programs. They are found and ended by this id on the whole machine,
 * so no other test that runs at the same time may have the same.
 */
export const clusterIdOf = (name: string): string => `id-of-${name}-${process.pid}`;
