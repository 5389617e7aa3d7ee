import type { ClusterDraft, Rule } from "./rule.ts";

interface KeyedList {
  readonly path: string;
  readonly key: string;
  read(cluster: ClusterDraft): readonly (string | undefined)[] | undefined;
}

/** Lists whose items are told apart by a key. A test compares them with what the schema says. */
export const KEYED_LISTS: readonly KeyedList[] = [
  { path: "spec.ssh.nodes", key: "name", read: ({ spec }) => spec?.ssh?.nodes?.map((item) => item?.name) },
  {
    path: "spec.ssh.registryMirrors",
    key: "host",
    read: ({ spec }) => spec?.ssh?.registryMirrors?.map((item) => item?.host),
  },
  { path: "spec.kind.registries", key: "host", read: ({ spec }) => spec?.kind?.registries?.map((item) => item?.host) },
  {
    path: "spec.k3d.registries.mirrors",
    key: "host",
    read: ({ spec }) => spec?.k3d?.registries?.mirrors?.map((item) => item?.host),
  },
  { path: "spec.addons", key: "name", read: ({ spec }) => spec?.addons?.map((item) => item?.name) },
  {
    path: "spec.integrations.haproxy.services",
    key: "name",
    read: ({ spec }) => spec?.integrations?.haproxy?.services?.map((item) => item?.name),
  },
];

export const checkListKeys: Rule = (cluster, report) => {
  for (const { path, key, read } of KEYED_LISTS) {
    const firstByKey = new Map<string, number>();
    for (const [index, value] of (read(cluster) ?? []).entries()) {
      if (value === undefined) continue;
      const first = firstByKey.get(value);
      if (first === undefined) firstByKey.set(value, index);
      else
        report.add(
          `${path}[${index}].${key}`,
          "duplicate",
          `${path}[${index}].${key} (${value}) is also that of ${path}[${first}].`,
        );
    }
  }
};
