import { NativeSelect, TextInput } from "@mantine/core";
import { setField } from "../../../components/yaml/yaml-document.ts";
import { useMessages } from "../../../i18n/use-language.tsx";
import { readTextAt } from "../read-at.ts";
import type { SshFieldsProps } from "./ssh-fields-props.ts";

const TYPES = ["node", "given", "haproxy", "kube-vip"] as const;
type EndpointType = (typeof TYPES)[number];

const ENDPOINT = "spec.ssh.endpoint";

/** Where the Kubernetes API is found, whichever control plane is up. */
export function EndpointFields({ value, errorAt, onSet, onEdit }: SshFieldsProps) {
  const { sshForm: words } = useMessages();
  const text = (field: string) => readTextAt(value, `${ENDPOINT}.${field}`);
  const type = (text("type") || "node") as EndpointType;
  const hasVirtualIp = type === "haproxy" || type === "kube-vip";
  const change = (next: EndpointType) =>
    onEdit((now) => {
      // Each type has its own address, and refuses that of the others.
      const isVirtual = next === "haproxy" || next === "kube-vip";
      const bare = next === "given" ? now : setField(now, `${ENDPOINT}.host`, undefined);
      const fitting = isVirtual ? bare : setField(bare, `${ENDPOINT}.virtualIp`, undefined);
      return setField(fitting, `${ENDPOINT}.type`, next === "node" ? undefined : next);
    });
  return (
    <>
      <NativeSelect
        label={words.endpoint}
        description={words.endpointText}
        value={type}
        error={errorAt(`${ENDPOINT}.type`) ?? errorAt(ENDPOINT)}
        data={TYPES.map((one) => ({ value: one, label: words.endpoints[one] }))}
        onChange={(event) => change(event.currentTarget.value as EndpointType)}
      />
      {type === "given" ? (
        <TextInput
          label={words.endpointHost}
          placeholder="k8s.example.com"
          value={text("host")}
          error={errorAt(`${ENDPOINT}.host`)}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onSet(`${ENDPOINT}.host`, event.currentTarget.value || undefined)}
        />
      ) : null}
      {hasVirtualIp ? (
        <TextInput
          label={words.virtualIp}
          description={words.virtualIpText}
          placeholder="10.0.0.100"
          value={text("virtualIp")}
          error={errorAt(`${ENDPOINT}.virtualIp`)}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onSet(`${ENDPOINT}.virtualIp`, event.currentTarget.value || undefined)}
        />
      ) : null}
    </>
  );
}
