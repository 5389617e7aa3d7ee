import { IconCheck, IconX } from "@tabler/icons-react";
import { Panel } from "../../../components/layout/page.tsx";
import table from "../../../components/layout/table.module.css";
import { useMessages } from "../../../i18n/use-language.tsx";

const ROLES = ["viewer", "operator", "admin"] as const;

/** What each role may do. The server decides; this tells. */
const ABILITIES = [
  ["read", 0],
  ["change", 1],
  ["access", 1],
  ["batch", 1],
  ["people", 2],
  ["audit", 2],
  ["settings", 2],
] as const;

export function RolesSection() {
  const m = useMessages();
  return (
    <Panel title={m.settings.sections.roles} flush>
      <div className={table.scroll}>
        <table className={`${table.table} ${table.matrix}`}>
          <thead>
            <tr>
              <th scope="col">{m.rolesTable.ability}</th>
              {ROLES.map((role) => (
                <th key={role} scope="col">
                  {m.roles[role]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ABILITIES.map(([ability, rank]) => (
              <tr key={ability}>
                <td>{m.rolesTable[ability]}</td>
                {ROLES.map((role, at) => (
                  <td key={role}>{at >= rank ? <Yes /> : <No />}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function Yes() {
  const m = useMessages();
  return <IconCheck size={17} role="img" aria-label={m.rolesTable.yes} style={{ color: "var(--good)" }} />;
}

function No() {
  const m = useMessages();
  return <IconX size={17} role="img" aria-label={m.rolesTable.no} style={{ color: "var(--idle)" }} />;
}
