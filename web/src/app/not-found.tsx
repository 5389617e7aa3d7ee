import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Empty } from "../components/feedback/states.tsx";
import { Page } from "../components/layout/page.tsx";
import { useMessages } from "../i18n/use-language.tsx";

export function NotFound() {
  const m = useMessages();
  return (
    <Page title={m.shell.notFound}>
      <Empty
        title={m.shell.notFoundText}
        actions={
          <Button component={Link} to="/overview">
            {m.shell.home}
          </Button>
        }
      />
    </Page>
  );
}
