import { ActionIcon } from "@mantine/core";
import { IconMenu2, IconSearch, IconWifiOff } from "@tabler/icons-react";
import { Link, useNavigate, useRouterState } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { useCanWrite, useLive } from "../../api/live/use-live.tsx";
import { useSession } from "../../api/session.tsx";
import { useMessages } from "../../i18n/use-language.tsx";
import { Logo } from "./logo.tsx";
import type { NavItem } from "./nav-item.ts";
import css from "./shell.module.css";
import { useKeys } from "./use-keys.tsx";

/** What the first paint does not need comes after it: menus, the palette, the help. */
const BarTools = lazy(async () => ({ default: (await import("./bar-tools.tsx")).BarTools }));
const Palette = lazy(async () => ({ default: (await import("./palette.tsx")).Palette }));
const KeyHelp = lazy(async () => ({ default: (await import("./key-help.tsx")).KeyHelp }));

const MAIN = "main";

/** What stands around every page: navigation, search, freshness, preferences. */
export function Shell({ nav, children }: { readonly nav: readonly NavItem[]; readonly children: ReactNode }) {
  const m = useMessages();
  const [isNavOpen, setNavOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const navigate = useNavigate();
  const path = useRouterState({ select: (state) => state.location.pathname });
  // Closes when the page changes.
  useEffect(() => setNavOpen(false), [path]);
  const { may } = useSession();
  const allowed = nav.filter(({ role }) => role === undefined || may(role));
  useKeys({
    "mod k": () => setPaletteOpen(true),
    "?": () => setHelpOpen(true),
    c: () => void navigate({ to: "/clusters/new" }),
    ...Object.fromEntries(
      allowed.flatMap(({ keys, to }) => (keys === undefined ? [] : [[keys, () => void navigate({ to })]])),
    ),
  });
  return (
    <div className={css.shell}>
      <a className={css.skip} href={`#${MAIN}`}>
        {m.shell.skip}
      </a>
      <Navigation items={allowed} isOpen={isNavOpen} />
      <button type="button" className={css.scrim} aria-label={m.common.close} onClick={() => setNavOpen(false)} />
      <header className={css.bar}>
        <ActionIcon
          className={css.burger ?? ""}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={m.shell.menu}
          aria-expanded={isNavOpen}
          onClick={() => setNavOpen(!isNavOpen)}
        >
          <IconMenu2 size={20} aria-hidden />
        </ActionIcon>
        <button type="button" className={css.search} aria-label={m.palette.open} onClick={() => setPaletteOpen(true)}>
          <IconSearch size={16} aria-hidden />
          <span>{m.palette.open}</span>
          <kbd className={css.kbd}>{m.shell.paletteKey}</kbd>
        </button>
        <div className={css.spacer} />
        <Suspense fallback={<div className={css.toolsToCome} />}>
          <BarTools />
        </Suspense>
      </header>
      <div className={css.mainArea}>
        <OfflineBanner />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the part that scrolls must be reachable by keyboard */}
        <main id={MAIN} className={css.main} tabIndex={0} aria-label={m.shell.main}>
          {children}
        </main>
      </div>
      <Suspense>
        {isPaletteOpen ? <Palette nav={allowed} opened onClose={() => setPaletteOpen(false)} /> : null}
        {isHelpOpen ? <KeyHelp nav={allowed} opened onClose={() => setHelpOpen(false)} /> : null}
      </Suspense>
    </div>
  );
}

function Navigation({ items, isOpen }: { readonly items: readonly NavItem[]; readonly isOpen: boolean }) {
  const m = useMessages();
  const draw = ({ to, icon: Icon, label }: NavItem) => (
    <Link key={to} to={to} className={css.link} activeOptions={{ exact: false, includeSearch: false }}>
      <Icon size={18} aria-hidden />
      {label(m)}
    </Link>
  );
  const manage = items.filter(({ group }) => group === "manage");
  return (
    <nav className={isOpen ? `${css.nav} ${css.navOpen}` : css.nav} aria-label={m.shell.navigation}>
      <Link to="/overview" className={css.brand} aria-label={m.shell.home}>
        <Logo />
      </Link>
      {items.filter(({ group }) => group === "work").map(draw)}
      {manage.length === 0 ? null : <div className={css.gap}>{m.shell.manage}</div>}
      {manage.map(draw)}
    </nav>
  );
}

/** Says why nothing can be changed now. What is typed stays, and nothing is sent later behind one's back. */
function OfflineBanner() {
  const m = useMessages();
  const canWrite = useCanWrite();
  const { state } = useLive();
  if (canWrite) return null;
  return (
    <div className={css.banner} role="status">
      <IconWifiOff size={16} aria-hidden />
      {state === "offline" ? m.live.offlineBanner : m.live.awayBanner}
    </div>
  );
}
