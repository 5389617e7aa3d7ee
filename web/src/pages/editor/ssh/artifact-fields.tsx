import { NativeSelect, Switch, TextInput } from "@mantine/core";
import { setField } from "../../../components/yaml/yaml-document.ts";
import { useMessages } from "../../../i18n/use-language.tsx";
import { readAt, readTextAt } from "../read-at.ts";
import type { SshFieldsProps } from "./ssh-fields-props.ts";

const SOURCES = ["directory", "mirror", "url"] as const;
type Source = (typeof SOURCES)[number];

const ARTIFACTS = "spec.ssh.artifacts";

/** Where programs and images come from. */
export function ArtifactFields({ value, errorAt, onSet, onEdit }: SshFieldsProps) {
  const { sshForm: words } = useMessages();
  const source = (readTextAt(value, `${ARTIFACTS}.source`) || "directory") as Source;
  const isThere = readAt(value, ARTIFACTS) !== undefined;
  const locate = (location: string) =>
    onEdit((now) => {
      if (isThere || location === "") return setField(now, `${ARTIFACTS}.location`, location || undefined);
      return setField(now, ARTIFACTS, { source, location, offline: true });
    });
  return (
    <>
      <NativeSelect
        label={words.artifacts}
        description={words.artifactsText}
        value={source}
        error={errorAt(`${ARTIFACTS}.source`)}
        data={SOURCES.map((one) => ({ value: one, label: words.sources[one] }))}
        onChange={(event) => onSet(`${ARTIFACTS}.source`, event.currentTarget.value)}
      />
      <TextInput
        label={source === "directory" ? words.folder : words.location}
        description={words.locationText}
        placeholder={source === "directory" ? "/srv/artifacts" : "https://mirror.example.com/kubernetes"}
        value={readTextAt(value, `${ARTIFACTS}.location`)}
        error={errorAt(`${ARTIFACTS}.location`) ?? errorAt(ARTIFACTS)}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => locate(event.currentTarget.value)}
      />
      {isThere ? (
        <Switch
          label={words.offline}
          checked={readAt(value, `${ARTIFACTS}.offline`) === true}
          onChange={(event) => onSet(`${ARTIFACTS}.offline`, event.currentTarget.checked ? true : undefined)}
        />
      ) : null}
    </>
  );
}
