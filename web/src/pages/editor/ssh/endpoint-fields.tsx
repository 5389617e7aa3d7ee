import { NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { useMessages } from "../../../i18n/use-language.tsx";
import { readTextAt } from "../read-at.ts";
import {
  API_SERVER_PORT,
  changeEndpoint,
  ENDPOINT,
  type EndpointType,
  hasOwnPort,
  hasVirtualIp,
  offerEndpoints,
} from "./change-endpoint.ts";
import type { SshFieldsProps } from "./ssh-fields-props.ts";

/** Where the Kubernetes API is found, whichever control plane is up. */
export function EndpointFields({ value, errorAt, onSet, onEdit }: SshFieldsProps) {
  const { sshForm: words } = useMessages();
  const text = (field: string) => readTextAt(value, `${ENDPOINT}.${field}`);
  const type = (text("type") || "node") as EndpointType;
  const offered = offerEndpoints(readTextAt(value, "spec.ssh.distribution"), type);
  return (
    <>
      <NativeSelect
        label={words.endpoint}
        description={words.endpointText}
        value={type}
        error={errorAt(`${ENDPOINT}.type`) ?? errorAt(ENDPOINT)}
        data={offered.map((one) => ({ value: one, label: words.endpoints[one] }))}
        onChange={(event) => {
          const chosen = event.currentTarget.value as EndpointType;
          onEdit((now) => changeEndpoint(now, value, chosen));
        }}
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
      {hasVirtualIp(type) ? (
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
      {hasOwnPort(type) || text("port") !== "" ? (
        <NumberInput
          label={words.endpointPort}
          placeholder={String(API_SERVER_PORT)}
          value={text("port")}
          min={1}
          max={65_535}
          error={errorAt(`${ENDPOINT}.port`)}
          onChange={(port) => onSet(`${ENDPOINT}.port`, port === "" ? undefined : Number(port))}
        />
      ) : null}
    </>
  );
}
