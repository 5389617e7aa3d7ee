import { useSession } from "../../api/session.tsx";
import { Forbidden } from "../../components/feedback/states.tsx";
import { Page } from "../../components/layout/page.tsx";
import { useMessages } from "../../i18n/use-language.tsx";
import { EnvironmentsForm } from "./environments-form.tsx";
import css from "./import.module.css";
import { KubeconfigForm } from "./kubeconfig-form.tsx";

/** Takes in clusters that exist, or those of an environments.csv. */
export function ImportPage() {
  const m = useMessages();
  const { may } = useSession();
  return (
    <Page title={m.imports.title} subtitle={<span>{m.imports.text}</span>}>
      {may("operator") ? (
        <div className={css.grid}>
          <KubeconfigForm />
          <EnvironmentsForm />
        </div>
      ) : (
        <Forbidden needs="operator" />
      )}
    </Page>
  );
}
