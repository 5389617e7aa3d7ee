import { Page } from "../../components/layout/page.tsx";
import { useMessages } from "../../i18n/use-language.tsx";
import { EnvironmentsForm } from "./environments-form.tsx";
import css from "./import.module.css";
import { KubeconfigForm } from "./kubeconfig-form.tsx";

/** Takes in clusters that exist, or those of an environments.csv. */
export function ImportPage() {
  const m = useMessages();
  return (
    <Page title={m.imports.title} subtitle={<span>{m.imports.text}</span>}>
      <div className={css.grid}>
        <KubeconfigForm />
        <EnvironmentsForm />
      </div>
    </Page>
  );
}
