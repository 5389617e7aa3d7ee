/** The setting that asks a worker to finish what it does and to take nothing more. */
export const drainSettingOf = (workerId: string): string => `worker-drain/${workerId}`;
