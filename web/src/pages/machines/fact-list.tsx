import type { Machine } from "../../api/objects.ts";
import { Facts } from "../../components/layout/page.tsx";
import { inGibibytes } from "../../components/machines/in-gibibytes.ts";
import { useMessages } from "../../i18n/use-language.tsx";

type MachineFacts = NonNullable<Machine["facts"]>;

/** What was seen on a machine; what is not known is left out. */
export function FactList({ facts }: { readonly facts: MachineFacts }) {
  const m = useMessages();
  const { os, software } = facts;
  const row = (name: string, value: string | number | null | undefined) =>
    value === null || value === undefined || value === "" ? null : { name, value };
  return (
    <Facts
      facts={[
        row(m.machines.system, os === null ? null : (os.title ?? os.id)),
        row(m.machines.kernel, [facts.kernel, facts.architecture].filter(Boolean).join(" ")),
        row(m.machines.hostname, facts.hostname),
        row(m.machines.cpu, facts.cpus),
        row(m.machines.memory, inGibibytes(facts.memoryBytes)),
        row(m.machines.swap, inGibibytes(facts.swapBytes)),
        row(
          m.machines.disks,
          facts.disks.map((disk) => m.machines.disk(disk.mount, inGibibytes(disk.freeBytes))).join("; "),
        ),
        row(
          m.machines.addresses,
          facts.addresses.map(({ interface: name, address }) => `${address} (${name})`).join("; "),
        ),
        row(m.machines.clock, facts.clockSkewMs === null ? null : m.machines.skew(facts.clockSkewMs)),
        row(m.machines.init, [facts.init, facts.packageManager].filter(Boolean).join(", ")),
        row(m.machines.cgroup, facts.cgroup),
        row(m.machines.ports, [...new Set(facts.listening.map(({ port }) => port))].join(" ")),
        row(
          m.machines.software,
          (["containerd", "kubelet", "kubeadm", "k3s"] as const)
            .flatMap((name) => (software[name] === null ? [] : [`${name} ${software[name]}`]))
            .join("; "),
        ),
        row(m.machines.traces, software.traces.join(" ")),
        row(m.machines.machineId, facts.machineId),
      ]}
    />
  );
}
