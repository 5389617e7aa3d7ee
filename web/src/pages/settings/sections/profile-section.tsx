import { PasswordInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { FormEvent } from "react";
import { useSession } from "../../../api/session.tsx";
import { useApi, useChange } from "../../../api/use-api.ts";
import { ChangeButton } from "../../../components/change/change-button.tsx";
import { ErrorPanel } from "../../../components/feedback/error-panel.tsx";
import { Loaded } from "../../../components/feedback/states.tsx";
import { Facts, Panel } from "../../../components/layout/page.tsx";
import table from "../../../components/layout/table.module.css";
import { Ago, Moment } from "../../../components/time/time.tsx";
import { useMessages } from "../../../i18n/use-language.tsx";
import css from "../settings.module.css";

const SESSIONS = ["sessions"] as const;

export function ProfileSection() {
  return (
    <div className={css.grid}>
      <About />
      <Password />
      <Sessions />
    </div>
  );
}

function About() {
  const m = useMessages();
  const { user } = useSession();
  if (user === null) return null;
  return (
    <Panel title={m.settings.about}>
      <Facts
        facts={[
          { name: m.signIn.name, value: user.name },
          { name: m.settings.displayName, value: user.displayName },
          { name: m.access.role, value: m.roles[user.role] },
          { name: m.settings.scopes, value: user.scopes.length === 0 ? m.settings.everything : user.scopes.join("; ") },
          { name: m.cluster.created, value: <Moment time={user.createdTime} /> },
        ]}
      />
    </Panel>
  );
}

function Password() {
  const m = useMessages();
  const { user } = useSession();
  const change = useChange("sessions", "changeMe", []);
  if (user === null || user.external) return null;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const { current, next } = Object.fromEntries(new FormData(form));
    if (typeof current !== "string" || typeof next !== "string") return;
    change.mutate(
      { body: { password: { current, next } } },
      {
        onSuccess: () => {
          form.reset();
          notifications.show({ message: m.settings.passwordChanged });
        },
      },
    );
  };
  const toggle = { "aria-label": m.signIn.showPassword };
  return (
    <Panel title={m.settings.password}>
      <form className={css.form} onSubmit={submit}>
        <PasswordInput
          name="current"
          label={m.settings.currentPassword}
          autoComplete="current-password"
          required
          visibilityToggleButtonProps={toggle}
        />
        <PasswordInput
          name="next"
          label={m.settings.newPassword}
          description={m.settings.passwordText}
          autoComplete="new-password"
          required
          visibilityToggleButtonProps={toggle}
        />
        {change.error === null ? null : <ErrorPanel error={change.error} />}
        <ChangeButton type="submit" loading={change.isPending}>
          {m.settings.changePassword}
        </ChangeButton>
      </form>
    </Panel>
  );
}

function Sessions() {
  const m = useMessages();
  const sessions = useApi(SESSIONS, "sessions", "listSessions", {});
  const revoke = useChange("sessions", "revokeSession", [SESSIONS]);
  return (
    <div className={css.wide}>
      <Panel title={m.settings.sessions} flush>
        {revoke.error === null ? null : <ErrorPanel error={revoke.error} />}
        <Loaded query={sessions}>
          {({ items }) => (
            <div className={table.scroll}>
              <table className={table.table}>
                <thead>
                  <tr>
                    <th scope="col">{m.settings.browser}</th>
                    <th scope="col">{m.audit.address}</th>
                    <th scope="col">{m.settings.since}</th>
                    <th scope="col">
                      <span className="visually-hidden">{m.nodes.actions}</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {items.map(({ id, userAgent, address, createdTime, current }) => (
                    <tr key={id}>
                      <td>{userAgent}</td>
                      <td data-label={m.audit.address}>{address}</td>
                      <td>
                        <Ago time={createdTime} />
                      </td>
                      <td>
                        {current ? (
                          m.settings.thisOne
                        ) : (
                          <ChangeButton
                            size="compact-sm"
                            variant="default"
                            onClick={() => revoke.mutate({ params: { id } })}
                          >
                            {m.settings.end}
                          </ChangeButton>
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </Loaded>
      </Panel>
    </div>
  );
}
