import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconLoader2 } from "@tabler/icons-react";
import { Status } from "../../../components/status/status.tsx";
import { useMessages } from "../../../i18n/use-language.tsx";
import { hasError, type MachineChecks } from "./use-machine-checks.ts";

/** In one line what the checks of all machines of the document say. */
export function CheckSummary({ checks, count }: { readonly checks: MachineChecks; readonly count: number }) {
  return (
    <span role="status">
      <Words checks={checks} count={count} />
    </span>
  );
}

function Words({ checks: { items, isChecking }, count }: { readonly checks: MachineChecks; readonly count: number }) {
  const { sshForm: words } = useMessages();
  if (count === 0) return null;
  if (items === undefined) {
    return isChecking ? <Status look={{ tone: "idle", icon: IconLoader2 }}>{words.checking}</Status> : null;
  }
  const errors = items.filter(hasError).length;
  if (errors > 0)
    return <Status look={{ tone: "bad", icon: IconCircleX }}>{words.troubled(items.length, errors)}</Status>;
  const warnings = items.reduce((sum, { problems }) => sum + problems.length, 0);
  if (warnings > 0) {
    return <Status look={{ tone: "warn", icon: IconAlertTriangle }}>{words.warned(items.length, warnings)}</Status>;
  }
  return <Status look={{ tone: "good", icon: IconCircleCheck }}>{words.fine(items.length)}</Status>;
}
