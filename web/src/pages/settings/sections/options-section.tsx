import { useApi } from "../../../api/use-api.ts";
import { Loaded } from "../../../components/feedback/states.tsx";
import { Panel } from "../../../components/layout/page.tsx";
import table from "../../../components/layout/table.module.css";
import { useMessages } from "../../../i18n/use-language.tsx";
import css from "../settings.module.css";

/** What the server was started with, and where each option was set. */
export function OptionsSection() {
  const m = useMessages();
  const options = useApi(["options"], "settings", "listOptions", {});
  return (
    <Panel title={m.settings.sections.options} flush>
      <Loaded query={options}>
        {({ items }) => (
          <div className={table.scroll}>
            <table className={table.table}>
              <thead>
                <tr>
                  <th scope="col">{m.options.name}</th>
                  <th scope="col">{m.options.value}</th>
                  <th scope="col">{m.options.source}</th>
                </tr>
              </thead>
              <tbody>
                {items.map(({ name, value, source, description, flag, env }) => (
                  <tr key={name}>
                    <td>
                      <code>{flag}</code> <code className={css.soft}>{env}</code>
                      <div className={css.soft}>{description}</div>
                    </td>
                    <td data-label={m.options.value}>{value === null ? m.options.hidden : <code>{value}</code>}</td>
                    <td data-label={m.options.source}>{source ?? m.options.byDefault}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Loaded>
    </Panel>
  );
}
