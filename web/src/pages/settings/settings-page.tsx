import { getRouteApi, Link } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { useSession } from "../../api/session.tsx";
import { Forbidden } from "../../components/feedback/states.tsx";
import { Page } from "../../components/layout/page.tsx";
import { TAB, Tabs } from "../../components/layout/tabs.tsx";
import { useMessages } from "../../i18n/use-language.tsx";
import { OptionsSection } from "./sections/options-section.tsx";
import { ProfileSection } from "./sections/profile-section.tsx";
import { RolesSection } from "./sections/roles-section.tsx";
import { TokensSection } from "./sections/tokens-section.tsx";
import { UsersSection } from "./sections/users-section.tsx";
import { WorkersSection } from "./sections/workers-section.tsx";
import { SECTION_ROLES, SETTING_SECTIONS, type SettingSection } from "./sections.ts";

const route = getRouteApi("/settings/$section");

const SECTIONS: Readonly<Record<SettingSection, ComponentType>> = {
  profile: ProfileSection,
  tokens: TokensSection,
  users: UsersSection,
  roles: RolesSection,
  workers: WorkersSection,
  options: OptionsSection,
};

export function SettingsPage() {
  const m = useMessages();
  const { may } = useSession();
  const section = route.useParams().section as SettingSection;
  const needed = SECTION_ROLES[section];
  const Section = SECTIONS[section];
  const isAllowed = (role: (typeof SECTION_ROLES)[SettingSection]) => role === undefined || may(role);
  return (
    <Page title={m.settings.title}>
      <Tabs label={m.settings.title} current={section}>
        {SETTING_SECTIONS.filter((one) => isAllowed(SECTION_ROLES[one])).map((one) => (
          <Link key={one} to="/settings/$section" params={{ section: one }} className={TAB}>
            {m.settings.sections[one]}
          </Link>
        ))}
      </Tabs>
      {needed === undefined || may(needed) ? <Section /> : <Forbidden needs={needed} />}
    </Page>
  );
}
