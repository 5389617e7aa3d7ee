export interface FakeNode {
  version: string;
  unschedulable: boolean;
  annotations: Record<string, string | null>;
  labels: Record<string, string>;
  taints: readonly object[];
}

export interface FakeSecret {
  readonly writtenWith: string;
  readonly isToken?: boolean;
}

/** A cluster as its API shows it: it lives as long as its first machine has the administrator's kubeconfig. */
export class FakeCluster {
  readonly nodes = new Map<string, FakeNode>();
  /** Names of nodes that are there and not well. */
  readonly unready = new Set<string>();
  readonly namespaces = new Set(["default", "kube-system"]);
  /** By namespace and name: what each was last written with, and whether it is a token to join by. */
  readonly secrets = new Map<string, FakeSecret>();
  /** By machine: what its API server reads, the first of which also writes; as when it started. */
  readonly apiServers = new Map<string, readonly string[]>();
  /** What kubeadm has noted for those who join, and for upgrades. */
  isEncryptedByConfig = false;
  /** Its database runs beside its API servers. */
  hasEtcdBeside = true;
  version = "";

  /** What an API server has written, or would write now, and another one cannot read. */
  unreadable(): readonly string[] {
    const written = [...this.secrets].map(([name, { writtenWith }]) => [name, writtenWith] as const);
    const next = [...this.apiServers].map(([host, [first = ""]]) => [`what ${host} writes`, first] as const);
    return [...this.apiServers].flatMap(([host, order]) =>
      [...written, ...next].flatMap(([what, key]) =>
        order.includes(key) ? [] : [`${host} cannot read ${what} (${key})`],
      ),
    );
  }
}

/** All clusters of a test, by the machine on which each began. */
export class FakeClusters {
  readonly byFounder = new Map<string, FakeCluster>();
  /** Those that were taken off their machines, of which a snapshot may still tell. */
  readonly reset = new Map<string, FakeCluster>();
  /** Servers of k3s that were stopped while they counted in the database of others. */
  readonly missedMembers = new Set<string>();
  /** Servers of k3s whose members stay in the database when their nodes are forgotten, until they have started anew. */
  readonly clinging = new Set<string>();

  clusterOf(name: string): FakeCluster | undefined {
    return [...this.byFounder.values()].find(({ nodes }) => nodes.has(name));
  }

  newNode(version: string): FakeNode {
    return { version, unschedulable: false, annotations: {}, labels: {}, taints: [] };
  }
}
