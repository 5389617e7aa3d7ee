import type { Role } from "@drover/contract";
import type { IconClock } from "@tabler/icons-react";
import type { Messages } from "../../i18n/messages.ts";

export interface NavPart {
  readonly to: string;
  readonly label: (m: Messages) => string;
  readonly role?: Role;
}

/** A page that the navigation and the palette lead to. */
export interface NavItem {
  readonly to: string;
  readonly icon: typeof IconClock;
  readonly label: (m: Messages) => string;
  /** Two keys in a row that lead there. */
  readonly keys?: string;
  /** Who may use it; left out, everybody. */
  readonly role?: Role;
  /** Parts of it that the palette leads to by themselves. */
  readonly parts?: readonly NavPart[];
  /** Beneath the others, set apart. */
  readonly group: "work" | "manage";
}
