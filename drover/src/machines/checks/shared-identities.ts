import type { MachineFacts } from "@drover/contract";
import type { Finding } from "./finding.ts";

interface Identified {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly facts: MachineFacts | null;
}

interface Identity {
  readonly code: Finding["code"];
  readonly severity: "error" | "warning";
  readonly read: (machine: Identified) => string | null;
  readonly what: string;
  readonly command?: (name: string) => string;
}

const IDENTITIES: readonly Identity[] = [
  {
    ...{ code: "node-address-duplicate", severity: "error", what: "address" },
    read: ({ address, port }) => `${address}:${port}`,
  },
  {
    ...{ code: "machine-id-duplicate", severity: "error", what: "machine-id" },
    read: ({ facts }) => facts?.machineId ?? null,
    command: () => "rm -f /etc/machine-id && systemd-machine-id-setup && reboot",
  },
  {
    ...{ code: "machine-uuid-duplicate", severity: "error", what: "product UUID" },
    read: ({ facts }) => facts?.productUuid ?? null,
  },
  {
    ...{ code: "machine-mac-duplicate", severity: "error", what: "hardware address" },
    read: ({ facts }) => macOf(facts),
  },
  {
    // Nodes are named by the spec, not by their machines.
    ...{ code: "machine-hostname-duplicate", severity: "warning", what: "host name" },
    read: ({ facts }) => facts?.hostname ?? null,
    command: (name) => `hostnamectl set-hostname ${name}`,
  },
];

/** Machines that are taken for one another, each told with the others. */
export function findSharedIdentities<T extends Identified>(
  machines: readonly T[],
): readonly { readonly machine: T; readonly finding: Finding }[] {
  return IDENTITIES.flatMap((identity) =>
    groupBy(machines, identity.read).flatMap(([value, group]) =>
      group.map((machine) => {
        const others = group.filter((one) => one !== machine).map(({ name }) => name);
        const command = identity.command?.(machine.name);
        const finding: Finding = {
          ...{ code: identity.code, severity: identity.severity },
          message: `It has the same ${identity.what} as ${others.join(", ")}: ${value}.`,
          ...(command === undefined ? {} : { command }),
        };
        return { machine, finding };
      }),
    ),
  );
}

/** Of the card that it is reached by; others may be made up alike on every machine. */
function macOf(facts: MachineFacts | null): string | null {
  const { interface: name } = facts?.defaultRoute ?? {};
  return facts?.interfaces.find((one) => one.name === name)?.mac ?? null;
}

/** Those with two or more. */
function groupBy<T>(
  items: readonly T[],
  keyOf: (item: T) => string | null,
): readonly (readonly [string, readonly T[]])[] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === null) continue;
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups].filter(([, group]) => group.length > 1);
}
