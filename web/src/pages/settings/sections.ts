import type { Role } from "@drover/contract";

export const SETTING_SECTIONS = ["profile", "tokens", "users", "roles", "workers", "options"] as const;
export type SettingSection = (typeof SETTING_SECTIONS)[number];

/** Who may see a section; left out, everybody. */
export const SECTION_ROLES: Readonly<Partial<Record<SettingSection, Role>>> = { users: "admin", options: "admin" };
