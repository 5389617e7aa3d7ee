import type { Script } from "./script.ts";

/** Stops a unit, which does not start with the machine either until it is started again. Argument: its name. */
export const STOP_UNIT: Script = {
  name: "drover-stop-unit",
  text: `set -eu
systemctl disable -q --now "$1"
if systemctl -q is-active "$1"; then
  echo "$1 does not stop; see journalctl -u $1." >&2
  exit 1
fi
`,
};
