/** What the clock asks of clusters. Any worker may have it applied: each switch is made once. */
export interface ScheduleStore {
  /**
   * Writes down which clusters are to sleep or to wake since their schedules were last asked, and when each has to be
   * asked again. Of several times that were missed the last one counts.
   */
  applySwitches(options: { limit: number }): Promise<readonly MadeSwitch[]>;
  /** How long until the next one is due; 0 when one is, null when no cluster has a schedule. */
  nextSwitchIn(): Promise<number | null>;
  /**
   * Puts a backup in line for each cluster whose time has come; where another job is live, a minute later. Of several
   * times that were missed one counts.
   */
  startBackups(options: { limit: number }): Promise<readonly StartedBackup[]>;
  /** As `nextSwitchIn`, for backups. */
  nextBackupIn(): Promise<number | null>;
}

export interface MadeSwitch {
  readonly clusterName: string;
  /** Null when only the next time had to be worked out, or the cluster was so already. */
  readonly hibernated: boolean | null;
}

export interface StartedBackup {
  readonly clusterName: string;
  /** Null when only the next time had to be worked out, or the cluster cannot be backed up now. */
  readonly jobId: string | null;
}
