import { Button } from "@mantine/core";
import { useEffect } from "react";
import { useSession } from "../api/session.tsx";
import { Empty } from "../components/feedback/states.tsx";
import { useMessages } from "../i18n/use-language.tsx";

const ASK_MS = 3_000;

/** The server did not answer at the very beginning. It is asked again until it does. */
export function Unreachable() {
  const m = useMessages();
  const { readAgain } = useSession();
  useEffect(() => {
    const timer = setInterval(() => void readAgain(), ASK_MS);
    return () => clearInterval(timer);
  }, [readAgain]);
  return (
    <main style={{ display: "grid", placeItems: "center", minHeight: "100dvh" }}>
      <Empty
        title={m.transport.network.title}
        text={m.shell.unreachable}
        actions={<Button onClick={() => void readAgain()}>{m.common.tryAgain}</Button>}
      />
    </main>
  );
}
