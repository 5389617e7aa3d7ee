import { Button } from "@mantine/core";
import { IconFileImport, IconPlus, IconSparkles } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type ApiError, isApiError } from "../../api/api-error.ts";
import { KEYS } from "../../api/query-keys.ts";
import { useSession } from "../../api/session.tsx";
import { useMessages } from "../../i18n/use-language.tsx";
import { ChangeButton } from "../change/change-button.tsx";
import { ErrorPanel } from "../feedback/error-panel.tsx";
import css from "./first-steps.module.css";
import { makeSampleFleet } from "./sample-fleet.ts";

/** There is no cluster yet: three ways to the first one. */
export function FirstSteps() {
  const m = useMessages();
  const { may } = useSession();
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const makeSamples = async () => {
    setBusy(true);
    setError(null);
    await makeSampleFleet().catch((reason: unknown) => {
      if (!isApiError(reason)) throw reason;
      setError(reason);
    });
    await client.invalidateQueries({ queryKey: KEYS.clusters });
    setBusy(false);
  };
  return (
    <section className={css.first}>
      <div>
        <h2>{m.first.title}</h2>
        <p className={css.text}>{may("operator") ? m.first.text : m.first.textForViewers}</p>
      </div>
      {error === null ? null : <ErrorPanel error={error} />}
      {may("operator") ? (
        <ul className={css.ways}>
          <li>
            <IconPlus size={22} aria-hidden />
            <h3>{m.first.create}</h3>
            <p>{m.first.createText}</p>
            <Button component={Link} to="/clusters/new">
              {m.clusters.create}
            </Button>
          </li>
          <li>
            <IconSparkles size={22} aria-hidden />
            <h3>{m.first.sample}</h3>
            <p>{m.first.sampleText}</p>
            <ChangeButton variant="default" loading={isBusy} onClick={() => void makeSamples()}>
              {m.first.sampleButton}
            </ChangeButton>
          </li>
          <li>
            <IconFileImport size={22} aria-hidden />
            <h3>{m.first.import}</h3>
            <p>{m.first.importText}</p>
            <Button variant="default" component={Link} to="/import">
              {m.first.importButton}
            </Button>
          </li>
        </ul>
      ) : null}
    </section>
  );
}
