import { Button, Select, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { addressOf } from "../../../api/client.ts";
import { useSession } from "../../../api/session.tsx";
import { useApi, useChange } from "../../../api/use-api.ts";
import { ChangeButton } from "../../../components/change/change-button.tsx";
import { CopyAs } from "../../../components/copy/copy-as.tsx";
import { copyText } from "../../../components/copy/copy-text.ts";
import { ErrorPanel } from "../../../components/feedback/error-panel.tsx";
import { Empty, Loaded } from "../../../components/feedback/states.tsx";
import { Panel } from "../../../components/layout/page.tsx";
import table from "../../../components/layout/table.module.css";
import { Ago, Moment } from "../../../components/time/time.tsx";
import { objectToYaml } from "../../../components/yaml/to-yaml.ts";
import { useMessages } from "../../../i18n/use-language.tsx";
import css from "../settings.module.css";

const TOKENS = ["tokens"] as const;
const ROLES = ["viewer", "operator", "admin"] as const;
const DAYS = [1, 7, 30, 90, 365] as const;
const DAY_SECONDS = 86_400;

/** Tokens for programs: no more than their owner may, with an end, shown once. */
export function TokensSection() {
  const m = useMessages();
  const tokens = useApi(TOKENS, "tokens", "listTokens", {});
  const revoke = useChange("tokens", "revokeToken", [TOKENS]);
  return (
    <div className={css.beside}>
      <div className={css.list}>
        <Panel
          title={m.settings.sections.tokens}
          flush
          actions={
            <CopyAs
              cli={["drover", "token", "list"]}
              api={addressOf("tokens", "listTokens")}
              yaml={() => objectToYaml(tokens.data?.items ?? [])}
            />
          }
        >
          {revoke.error === null ? null : <ErrorPanel error={revoke.error} />}
          <Loaded query={tokens}>
            {({ items }) =>
              items.length === 0 ? (
                <Empty title={m.tokens.none} />
              ) : (
                <div className={table.scroll}>
                  <table className={table.table}>
                    <thead>
                      <tr>
                        <th scope="col">{m.editor.name}</th>
                        <th scope="col">{m.tokens.owner}</th>
                        <th scope="col">{m.access.role}</th>
                        <th scope="col">{m.tokens.used}</th>
                        <th scope="col">{m.tokens.ends}</th>
                        <th scope="col">
                          <span className="visually-hidden">{m.nodes.actions}</span>
                        </th>
                      </tr>
                    </thead>
                    <tbody>
                      {items.map(({ id, name, owner, role, lastUsedTime, expiresTime }) => (
                        <tr key={id}>
                          <td>{name}</td>
                          <td data-label={m.tokens.owner}>{owner}</td>
                          <td data-label={m.access.role}>{m.roles[role]}</td>
                          <td data-label={m.tokens.used}>
                            {lastUsedTime === null ? m.tokens.never : <Ago time={lastUsedTime} />}
                          </td>
                          <td data-label={m.tokens.ends}>
                            {expiresTime === null ? m.access.forever : <Moment time={expiresTime} />}
                          </td>
                          <td>
                            <ChangeButton
                              size="compact-sm"
                              variant="default"
                              onClick={() => revoke.mutate({ params: { id } })}
                            >
                              {m.access.revoke}
                            </ChangeButton>
                          </td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
              )
            }
          </Loaded>
        </Panel>
      </div>
      <NewToken />
    </div>
  );
}

function NewToken() {
  const m = useMessages();
  const { may } = useSession();
  const create = useChange("tokens", "createToken", [TOKENS]);
  const [role, setRole] = useState<(typeof ROLES)[number]>("viewer");
  const [days, setDays] = useState<number>(30);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = new FormData(event.currentTarget).get("name");
    if (typeof name === "string") create.mutate({ body: { name, role, lifetimeSeconds: days * DAY_SECONDS } });
  };
  return (
    <Panel title={m.tokens.create}>
      <form className={css.form} onSubmit={submit}>
        <TextInput name="name" label={m.editor.name} description={m.tokens.nameText} required maxLength={100} />
        <Select
          label={m.access.role}
          allowDeselect={false}
          value={role}
          onChange={(value) => setRole(value as typeof role)}
          data={ROLES.filter((one) => may(one)).map((value) => ({ value, label: m.roles[value] }))}
        />
        <Select
          label={m.access.lifetime}
          allowDeselect={false}
          value={String(days)}
          onChange={(value) => setDays(Number(value))}
          data={DAYS.map((value) => ({ value: String(value), label: m.time.days(value) }))}
        />
        {create.error === null ? null : <ErrorPanel error={create.error} />}
        <ChangeButton type="submit" loading={create.isPending}>
          {m.tokens.create}
        </ChangeButton>
        {create.data === undefined ? null : (
          <div className={css.secret} role="status">
            <span>{m.access.once}</span>
            <code>{create.data.secret}</code>
            <Button size="xs" variant="default" onClick={() => void copyText(create.data.secret)}>
              {m.common.copy}
            </Button>
          </div>
        )}
      </form>
    </Panel>
  );
}
