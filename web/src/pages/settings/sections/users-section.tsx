import { PasswordInput, Select, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { addressOf } from "../../../api/client.ts";
import { useCanWrite } from "../../../api/live/use-live.tsx";
import type { User } from "../../../api/objects.ts";
import { useApi, useChange } from "../../../api/use-api.ts";
import { ChangeButton } from "../../../components/change/change-button.tsx";
import { CopyAs } from "../../../components/copy/copy-as.tsx";
import { ErrorPanel } from "../../../components/feedback/error-panel.tsx";
import { Loaded } from "../../../components/feedback/states.tsx";
import { Panel } from "../../../components/layout/page.tsx";
import table from "../../../components/layout/table.module.css";
import { objectToYaml } from "../../../components/yaml/to-yaml.ts";
import { useMessages } from "../../../i18n/use-language.tsx";
import css from "../settings.module.css";

const USERS = ["users"] as const;
const ROLES = ["viewer", "operator", "admin"] as const;
type Role = (typeof ROLES)[number];

export function UsersSection() {
  const m = useMessages();
  const users = useApi(USERS, "users", "listUsers", {});
  const change = useChange("users", "changeUser", [USERS]);
  return (
    <div className={css.beside}>
      <div className={css.list}>
        <Panel
          title={m.settings.sections.users}
          flush
          actions={
            <CopyAs
              cli={["drover", "user", "list"]}
              api={addressOf("users", "listUsers")}
              yaml={() => objectToYaml(users.data?.items ?? [])}
            />
          }
        >
          {change.error === null ? null : <ErrorPanel error={change.error} />}
          <Loaded query={users}>
            {({ items }) => (
              <div className={table.scroll}>
                <table className={table.table}>
                  <thead>
                    <tr>
                      <th scope="col">{m.signIn.name}</th>
                      <th scope="col">{m.settings.displayName}</th>
                      <th scope="col">{m.access.role}</th>
                      <th scope="col">{m.settings.scopes}</th>
                      <th scope="col">
                        <span className="visually-hidden">{m.nodes.actions}</span>
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {items.map((user) => (
                      <UserRow
                        key={user.id}
                        user={user}
                        onChange={(body) => change.mutate({ params: { id: user.id }, body })}
                      />
                    ))}
                  </tbody>
                </table>
              </div>
            )}
          </Loaded>
        </Panel>
      </div>
      <NewUser />
    </div>
  );
}

interface UserRowProps {
  readonly user: User;
  readonly onChange: (change: { role?: Role; disabled?: boolean }) => void;
}

function UserRow({ user, onChange }: UserRowProps) {
  const m = useMessages();
  const canWrite = useCanWrite();
  return (
    <tr>
      <td>
        {user.name}
        {user.external ? <div className={css.soft}>{m.users.external}</div> : null}
      </td>
      <td data-label={m.settings.displayName}>{user.displayName}</td>
      <td data-label={m.access.role}>
        <Select
          aria-label={m.users.roleOf(user.name)}
          size="xs"
          allowDeselect={false}
          disabled={!canWrite}
          value={user.role}
          onChange={(role) => onChange({ role: role as Role })}
          data={ROLES.map((value) => ({ value, label: m.roles[value] }))}
        />
      </td>
      <td data-label={m.settings.scopes}>
        {user.scopes.length === 0 ? m.settings.everything : user.scopes.join("; ")}
      </td>
      <td>
        <ChangeButton size="compact-sm" variant="default" onClick={() => onChange({ disabled: !user.disabled })}>
          {user.disabled ? m.users.enable : m.users.disable}
        </ChangeButton>
      </td>
    </tr>
  );
}

function NewUser() {
  const m = useMessages();
  const create = useChange("users", "createUser", [USERS]);
  const [role, setRole] = useState<Role>("viewer");
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const { name, displayName, password, scope } = Object.fromEntries(new FormData(form)) as Record<string, string>;
    create.mutate(
      {
        body: {
          name: name ?? "",
          role,
          ...(displayName ? { displayName } : {}),
          ...(password ? { password } : {}),
          ...(scope ? { scopes: [scope] } : {}),
        },
      },
      { onSuccess: () => form.reset() },
    );
  };
  return (
    <Panel title={m.users.create}>
      <form className={css.form} onSubmit={submit}>
        <TextInput name="name" label={m.signIn.name} required maxLength={64} autoComplete="off" />
        <TextInput name="displayName" label={m.settings.displayName} maxLength={100} autoComplete="off" />
        <PasswordInput
          name="password"
          label={m.signIn.password}
          description={m.settings.passwordText}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ "aria-label": m.signIn.showPassword }}
        />
        <Select
          label={m.access.role}
          allowDeselect={false}
          value={role}
          onChange={(value) => setRole(value as Role)}
          data={ROLES.map((value) => ({ value, label: m.roles[value] }))}
        />
        <TextInput name="scope" label={m.settings.scopes} description={m.users.scopeText} placeholder="env=dev" />
        {create.error === null ? null : <ErrorPanel error={create.error} />}
        <ChangeButton type="submit" loading={create.isPending}>
          {m.users.create}
        </ChangeButton>
      </form>
    </Panel>
  );
}
