#!/usr/bin/env bash
# One pass of a reconcile loop as a shell script does it: clusters are rows of a SQLite file, and every question and
# every note is a call of sqlite3. Nothing is out of order here, so each cluster is read, looked at and noted as seen.
# Looking costs nothing, so that only the loop itself is measured: a file in the folder stands for the cluster, where
# a real loop would run kubectl.
set -euo pipefail
database=$1
world=$2
seen=0

query() {
  sqlite3 "$database" "$1"
}

reconcile_cluster() {
  local name=$1 desired actual
  IFS='|' read -r desired actual < <(query "select desired_state, actual_state from clusters where name = '$name'")
  case "$desired/$actual" in
    present/unknown | present/failed) echo "$name would be created" >&2 ;;
    present/creating | absent/deleting) echo "$name would be verified" >&2 ;;
    absent/running | absent/failed) echo "$name would be deleted" >&2 ;;
    present/running)
      if [[ -e "$world/$name" ]]; then
        query "update clusters set last_reconciled_at = datetime('now'), reconcile_error = null where name = '$name'"
        seen=$((seen + 1))
      else
        query "update clusters set actual_state = 'failed', reconcile_error = 'gone' where name = '$name'"
      fi
      ;;
  esac
}

names=$(query "select name from clusters where desired_state <> 'present' or actual_state <> 'running'
  or last_reconciled_at is null or datetime('now', '-5 minutes') > last_reconciled_at")
for name in $names; do
  reconcile_cluster "$name"
done
echo "$seen"
