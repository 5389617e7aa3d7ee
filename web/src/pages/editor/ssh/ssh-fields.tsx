import { NativeSelect, NumberInput, Switch, TextInput } from "@mantine/core";
import { SecretPicker } from "../../../components/secrets/secret-picker.tsx";
import { useMessages } from "../../../i18n/use-language.tsx";
import { readAt, readTextAt } from "../read-at.ts";
import { ArtifactFields } from "./artifact-fields.tsx";
import { EndpointFields } from "./endpoint-fields.tsx";
import { changeDistribution, changeTopology, readNodes, type Topology, topologyOf } from "./node-entries.ts";
import type { SshFieldsProps } from "./ssh-fields-props.ts";

const DISTRIBUTIONS = ["kubeadm", "k3s"] as const;
const TOPOLOGIES = ["stacked", "separate"] as const;
const SSHD_PORT = 22;
const DEFAULT_USER = "root";

/** What a cluster on machines needs besides the machines. */
export function SshFields(props: SshFieldsProps) {
  const { value, errorAt, onSet, onEdit } = props;
  const m = useMessages();
  const words = m.sshForm;
  const text = (path: string) => readTextAt(value, `spec.ssh.${path}`);
  const distribution = text("distribution");
  const topology = topologyOf(value);
  const controlPlanes = readNodes(value).filter(({ column }) => column === "controlplane").length;
  const secretPath = "spec.ssh.access.credential.name";
  return (
    <>
      <NativeSelect
        label={words.distribution}
        value={distribution}
        error={errorAt("spec.ssh.distribution")}
        data={DISTRIBUTIONS.map((one) => ({ value: one, label: words.distributions[one] }))}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          onEdit((now) => changeDistribution(now, value, chosen));
        }}
      />
      <ArtifactFields {...props} />
      <SecretPicker
        label={words.secret}
        description={words.secretText}
        value={text("access.credential.name")}
        error={errorAt(secretPath) ?? errorAt("spec.ssh.access.credential") ?? errorAt("spec.ssh.access")}
        onChange={(name) => onSet(secretPath, name)}
      />
      <TextInput
        label={words.user}
        description={words.userText}
        value={text("access.user")}
        placeholder={DEFAULT_USER}
        error={errorAt("spec.ssh.access.user") ?? errorAt("spec.ssh.access.sudo.mode")}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onSet("spec.ssh.access.user", event.currentTarget.value || undefined)}
      />
      <NumberInput
        label={words.port}
        value={Number(readAt(value, "spec.ssh.access.port") ?? SSHD_PORT)}
        min={1}
        max={65_535}
        error={errorAt("spec.ssh.access.port")}
        onChange={(port) => onSet("spec.ssh.access.port", port === "" || port === SSHD_PORT ? undefined : Number(port))}
      />
      {distribution === "kubeadm" || topology === "separate" ? (
        <NativeSelect
          label={words.topology}
          value={topology}
          error={errorAt("spec.ssh.etcd.topology")}
          data={TOPOLOGIES.map((one) => ({ value: one, label: words.topologies[one] }))}
          onChange={(event) => {
            const chosen = event.currentTarget.value as Topology;
            onEdit((now) => changeTopology(now, value, chosen));
          }}
        />
      ) : null}
      {controlPlanes > 1 || readAt(value, "spec.ssh.endpoint") !== undefined ? <EndpointFields {...props} /> : null}
      <Switch
        label={words.schedulable}
        checked={readAt(value, "spec.ssh.schedulableControlPlane") === true}
        onChange={(event) => onSet("spec.ssh.schedulableControlPlane", event.currentTarget.checked ? true : undefined)}
      />
    </>
  );
}
