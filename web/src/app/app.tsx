import { createTheme, defaultVariantColorsResolver, MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { isApiError } from "../api/api-error.ts";
import { LiveProvider } from "../api/live/use-live.tsx";
import { SessionProvider, useSession } from "../api/session.tsx";
import { KeysProvider } from "../components/shell/use-keys.tsx";
import { ThemeProvider, useTheme } from "../components/shell/use-theme.tsx";
import { useLanguage } from "../i18n/use-language.tsx";
import { UtcProvider, useUtc } from "../i18n/use-utc.tsx";
import { Boot } from "./boot.tsx";
import { router } from "./router.ts";
import { Unreachable } from "./unreachable.tsx";

const Notifications = lazy(async () => ({ default: (await import("@mantine/notifications")).Notifications }));
const SignInPage = lazy(async () => ({ default: (await import("../components/sign-in/sign-in-page.tsx")).SignInPage }));
const SignInAgain = lazy(async () => ({
  default: (await import("../components/sign-in/sign-in-again.tsx")).SignInAgain,
}));

/** What was read stays good until an event says otherwise; the stream brings those. */
const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      gcTime: 300_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) =>
        failures < 2 && isApiError(error) && error.details.retryable && error.code !== "rate-limited",
    },
    mutations: { networkMode: "always" },
  },
});

/** Filled parts in the colour of the page carry text in the colour that goes with it, also on dark ground. */
const theme = createTheme({
  // A menu opens at its first entry; what Mantine puts before that is nothing that a menu may hold.
  components: { Menu: { defaultProps: { withInitialFocusPlaceholder: false } } },
  variantColorResolver: (input) => {
    const colours = defaultVariantColorsResolver(input);
    const isAccent = input.variant === "filled" && (input.color === undefined || input.color === "blue");
    return isAccent ? { ...colours, color: "var(--on-accent)" } : colours;
  },
});

export function App() {
  return (
    <ThemeProvider>
      <Themed />
    </ThemeProvider>
  );
}

/** Mantine's variables and classes come as static CSS: it puts no style tag into the page. */
function Themed() {
  const { scheme } = useTheme();
  return (
    <MantineProvider theme={theme} forceColorScheme={scheme} withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={client}>
        <UtcProvider>
          <SessionProvider>
            <KeysProvider>
              <Gate />
            </KeysProvider>
          </SessionProvider>
        </UtcProvider>
      </QueryClientProvider>
      <Suspense>
        <Notifications position="bottom-right" autoClose={4_000} />
      </Suspense>
    </MantineProvider>
  );
}

/** Who is not signed in sees the way in, at whatever address they are. */
function Gate() {
  const { state, noteSignedOut } = useSession();
  useStoredPreferences();
  if (state === "loading") return <Boot />;
  if (state === "unreachable") return <Unreachable />;
  if (state === "signed-out") {
    return (
      <Suspense>
        <SignInPage />
      </Suspense>
    );
  }
  return (
    <LiveProvider onSignedOut={noteSignedOut}>
      <RouterProvider router={router} />
      <Suspense>{state === "expired" ? <SignInAgain /> : null}</Suspense>
    </LiveProvider>
  );
}

/** Language, theme and time zone follow the user from browser to browser. */
function useStoredPreferences(): void {
  const { user, preferences } = useSession();
  const { setLanguage } = useLanguage();
  const { setTheme } = useTheme();
  const { setUtc } = useUtc();
  const name = user?.name;
  useEffect(() => {
    if (name === undefined) return;
    if (preferences.language !== undefined) setLanguage(preferences.language);
    if (preferences.theme !== undefined) setTheme(preferences.theme);
    if (preferences.utc !== undefined) setUtc(preferences.utc);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- applied once for each user who signs in
  }, [name]);
}
