import { Button, Select } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import type { Cluster } from "../../../api/objects.ts";
import { KEYS } from "../../../api/query-keys.ts";
import { useSession } from "../../../api/session.tsx";
import { useApi, useChange } from "../../../api/use-api.ts";
import { ChangeButton } from "../../../components/change/change-button.tsx";
import { copyText } from "../../../components/copy/copy-text.ts";
import { ErrorPanel } from "../../../components/feedback/error-panel.tsx";
import { Empty, Loaded } from "../../../components/feedback/states.tsx";
import { Panel } from "../../../components/layout/page.tsx";
import { ByWhom } from "../../../components/people/by-whom.tsx";
import { Ago, Moment } from "../../../components/time/time.tsx";
import { useMessages } from "../../../i18n/use-language.tsx";
import { makeRandomId } from "../../../lib/random-id.ts";
import { saveFile } from "../../../lib/save-file.ts";
import css from "../cluster.module.css";

const ROLES = ["viewer", "operator", "admin"] as const;
const LIFETIMES = [3_600, 28_800, 86_400, 604_800] as const;

/** Kubeconfigs: handed out with a role and an end, listed, and taken back. */
export function AccessTab({ cluster }: { readonly cluster: Cluster }) {
  const m = useMessages();
  const { may } = useSession();
  if (!may("operator")) return <Empty title={m.access.forbidden} text={m.access.forbiddenText} />;
  return (
    <div className={css.grid}>
      <HandedOut name={cluster.metadata.name} />
      <HandOut name={cluster.metadata.name} />
    </div>
  );
}

function HandOut({ name }: { readonly name: string }) {
  const m = useMessages();
  const { may } = useSession();
  const create = useChange("kubeconfigs", "createKubeconfig", [KEYS.cluster(name)]);
  const [role, setRole] = useState<(typeof ROLES)[number]>("viewer");
  const [seconds, setSeconds] = useState<number>(28_800);
  const file = `${name}.kubeconfig`;
  // Whoever asks again while it is being made asks for the same one.
  const [wish, setWish] = useState(makeRandomId);
  const ask = () =>
    create.mutate(
      { params: { name }, body: { role, lifetimeSeconds: seconds }, idempotencyKey: wish },
      {
        onSettled: (_, error) => {
          if (error?.code !== "kubeconfig-pending") setWish(makeRandomId());
        },
      },
    );
  return (
    <Panel title={m.access.create}>
      <div className={css.column}>
        <p>{m.access.createText}</p>
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
          value={String(seconds)}
          onChange={(value) => setSeconds(Number(value))}
          data={LIFETIMES.map((value) => ({ value: String(value), label: m.access.lifetimes[value] }))}
        />
        {create.error === null ? null : <ErrorPanel error={create.error} />}
        <ChangeButton loading={create.isPending} onClick={ask}>
          {m.access.createButton}
        </ChangeButton>
        {create.data === undefined ? null : (
          <div className={css.notice}>
            <p>{m.access.once}</p>
            <Button
              size="xs"
              leftSection={<IconDownload size={14} aria-hidden />}
              onClick={() => saveFile(file, create.data.kubeconfig, "application/yaml")}
            >
              {m.access.download}
            </Button>
            <Button size="xs" variant="default" onClick={() => void copyText(create.data.kubeconfig)}>
              {m.common.copy}
            </Button>
          </div>
        )}
      </div>
    </Panel>
  );
}

function HandedOut({ name }: { readonly name: string }) {
  const m = useMessages();
  const list = useApi(KEYS.cluster(name), "kubeconfigs", "listKubeconfigs", { params: { name } });
  const revoke = useChange("kubeconfigs", "revokeKubeconfig", [KEYS.cluster(name)]);
  return (
    <Panel title={m.access.handedOut} flush>
      {revoke.error === null ? null : <ErrorPanel error={revoke.error} />}
      <Loaded query={list}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={m.access.none} />
          ) : (
            <ul className={css.objects}>
              {items.map(({ id, role, createdBy, createdTime, expiresTime, revokedTime }) => (
                <li key={id}>
                  <span>
                    <b>{m.roles[role]}</b> <ByWhom actor={createdBy} /> <Ago time={createdTime} />
                  </span>
                  {revokedTime === null ? (
                    <ChangeButton
                      size="compact-sm"
                      variant="default"
                      onClick={() => revoke.mutate({ params: { name, id } })}
                    >
                      {m.access.revoke}
                    </ChangeButton>
                  ) : (
                    <span className={css.soft}>{m.access.revoked}</span>
                  )}
                  <span className={css.soft}>
                    {expiresTime === null ? (
                      m.access.forever
                    ) : (
                      <>
                        {m.access.until} <Moment time={expiresTime} />
                      </>
                    )}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}
