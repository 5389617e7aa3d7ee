import type { Role } from "@drover/contract";
import type { IconClock } from "@tabler/icons-react";
import type { Messages } from "../../i18n/messages.ts";

/** A page that the navigation and the palette lead to. */
export interface NavItem {
  readonly to: string;
  readonly icon: typeof IconClock;
  readonly label: (m: Messages) => string;
  /** Two keys in a row that lead there. */
  readonly keys?: string;
  /** Who may use it; left out, everybody. */
  readonly role?: Role;
  /** Beneath the others, set apart. */
  readonly group: "work" | "manage";
}
