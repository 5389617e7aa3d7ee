import { Button } from "@mantine/core";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { ErrorPanel } from "../components/feedback/error-panel.tsx";
import { Page } from "../components/layout/page.tsx";
import { useMessages } from "../i18n/use-language.tsx";

/** A page that broke; or one whose code is gone because the server has a newer build: reading it anew gets that. */
export function PageCrash({ error }: ErrorComponentProps) {
  const m = useMessages();
  return (
    <Page title={m.errors.unexpected}>
      <ErrorPanel error={error instanceof Error ? error : new Error(String(error))} />
      <div>
        <Button onClick={() => location.reload()}>{m.errors.reload}</Button>
      </div>
    </Page>
  );
}
