export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface Stored {
  metadata: { name: string; namespace?: string; uid: string; [key: string]: unknown };
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
  [key: string]: unknown;
}

export interface NewPod {
  readonly namespace?: string;
  readonly node?: string;
  /** Kind of its controller; null for none. */
  readonly owner?: string | null;
  readonly mirror?: boolean;
  readonly requests?: Record<string, string>;
  readonly status?: Record<string, unknown>;
  /** Evicting it answers 429 this often. */
  readonly guarded?: number;
}

interface TokenRequest {
  readonly spec?: {
    readonly expirationSeconds?: number;
    readonly boundObjectRef?: { readonly name: string; readonly uid?: string };
  };
}

interface IssuedToken {
  readonly account: string;
  /** What it is bound to, and its uid. */
  readonly secret: string | null;
  readonly uid: string | null;
  readonly endsAt: number;
}

const RUNNING = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };

/** The objects of a fake API by their paths, and what can be done with them. */
export class FakeObjects {
  readonly #stored = new Map<string, Stored>();
  readonly #guards = new Map<string, number>();
  readonly #tokens = new Map<string, IssuedToken>();
  #uids = 0;
  /** Use of nodes by name; null while nobody measures. */
  metrics: Record<string, { cpu: string; memory: string }> | null = null;

  addNode(name: string, more: { roles?: readonly string[]; ready?: boolean } = {}): void {
    const { roles = [], ready = true } = more;
    this.put(`/api/v1/nodes/${name}`, {
      metadata: {
        ...{ name, uid: this.#newUid() },
        labels: Object.fromEntries(roles.map((role) => [`node-role.kubernetes.io/${role}`, ""])),
      },
      spec: {},
      status: {
        capacity: { cpu: "4", memory: "8Gi", pods: "110" },
        conditions: [{ type: "Ready", status: ready ? "True" : "False" }],
        addresses: [{ type: "InternalIP", address: "10.0.0.1" }],
        nodeInfo: { kubeletVersion: "v1.34.4" },
      },
    });
  }

  addPod(name: string, more: NewPod = {}): void {
    const { namespace = "default", node, owner = "ReplicaSet", mirror = false, requests, guarded } = more;
    const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
    this.put(path, {
      metadata: {
        ...{ name, namespace, uid: this.#newUid(), creationTimestamp: "2026-01-01T00:00:00Z" },
        ...(owner === null ? {} : { ownerReferences: [{ kind: owner, name: "owner", controller: true }] }),
        ...(mirror ? { annotations: { "kubernetes.io/config.mirror": "x" } } : {}),
      },
      spec: { nodeName: node, containers: [{ name: "c", resources: { requests: requests ?? {} } }] },
      status: more.status ?? RUNNING,
    });
    if (guarded !== undefined) this.#guards.set(path, guarded);
  }

  put(path: string, object: unknown): void {
    this.#stored.set(path, object as Stored);
  }

  find(path: string): Stored | null {
    return this.#stored.get(path) ?? null;
  }

  get paths(): readonly string[] {
    return [...this.#stored.keys()].sort();
  }

  handle(method: string, at: string, query: URLSearchParams, body: unknown): Answer {
    const path = at.replace(/\/status$/, "");
    if (path === "/apis/metrics.k8s.io/v1beta1/nodes") return this.#listMetrics();
    const eviction = /^(.*\/pods\/[^/]+)\/eviction$/.exec(path)?.[1];
    if (method === "POST" && eviction !== undefined) return this.#evict(eviction, body);
    if (method === "POST" && path.endsWith("/token")) return this.#issueToken(path, body);
    if (method === "POST") return this.#create(path, body as Stored);
    const object = this.#stored.get(path);
    if (method === "GET" && object === undefined && isCollection(path)) return this.#list(path, query);
    if (method === "PATCH" && object === undefined && query.get("force") === "true") {
      return { status: 201, body: this.#apply(path, body as Stored) };
    }
    if (object === undefined) return this.#notFound(path);
    if (method === "DELETE") {
      this.#stored.delete(path);
      // What a namespace holds goes with it.
      for (const at of [...this.#stored.keys()])
        if (/\/namespaces\/[^/]+$/.test(path) && at.startsWith(`${path}/`)) this.#stored.delete(at);
      return { status: 200, body: { kind: "Status", status: "Success" } };
    }
    if (method === "PATCH") this.#stored.set(path, merge(object, body) as Stored);
    return { status: 200, body: this.#stored.get(path) };
  }

  #apply(path: string, object: Stored): Stored {
    const stored = { ...object, metadata: { ...object.metadata, uid: this.#newUid() } };
    this.#stored.set(path, stored);
    return stored;
  }

  #create(path: string, object: Stored): Answer {
    const at = `${path}/${object.metadata.name}`;
    if (this.#stored.has(at)) return status(409, `"${object.metadata.name}" already exists`);
    return { status: 201, body: this.#apply(at, object) };
  }

  /** Pods of all namespaces, or objects of one collection, in pages. */
  #list(path: string, query: URLSearchParams): Answer {
    const all = [...this.#stored.entries()]
      .filter(([at]) => (path === "/api/v1/pods" ? at.includes("/pods/") : at.slice(0, at.lastIndexOf("/")) === path))
      .map(([, object]) => object)
      .filter((object) => matches(object, query.get("fieldSelector")));
    const start = Number(query.get("continue") ?? 0);
    const limit = Number(query.get("limit") ?? all.length);
    const next = start + limit < all.length ? String(start + limit) : "";
    return {
      status: 200,
      body: { kind: "List", metadata: { continue: next }, items: all.slice(start, start + limit) },
    };
  }

  #evict(path: string, body: unknown): Answer {
    const pod = this.#stored.get(path);
    if (pod === undefined) return this.#notFound(path);
    const uid = (body as { deleteOptions?: { preconditions?: { uid?: string } } }).deleteOptions?.preconditions?.uid;
    if (uid !== undefined && uid !== pod.metadata.uid) return status(409, "The UID does not match.");
    const left = this.#guards.get(path) ?? 0;
    if (left > 0) {
      this.#guards.set(path, left - 1);
      const causes = [{ reason: "DisruptionBudget", message: "The disruption budget guard needs 1 healthy pods" }];
      const refused = status(429, "Cannot evict pod as it would violate the pod's disruption budget.");
      return { ...refused, body: { ...(refused.body as object), details: { causes } } };
    }
    this.#stored.delete(path);
    return { status: 201, body: { kind: "Status", status: "Success" } };
  }

  #issueToken(path: string, body: unknown): Answer {
    if (!this.#stored.has(path.slice(0, path.lastIndexOf("/")))) return this.#notFound(path);
    const { spec = {} } = body as TokenRequest;
    const { expirationSeconds = 3_600, boundObjectRef: bound } = spec;
    if (expirationSeconds < 600) return status(422, "may not specify a duration less than 10 minutes");
    const secret =
      bound === undefined ? null : `${path.slice(0, path.indexOf("/serviceaccounts/"))}/secrets/${bound.name}`;
    const uid = secret === null ? null : this.#stored.get(secret)?.metadata.uid;
    if (uid === undefined) return this.#notFound(secret ?? "");
    if (bound?.uid !== undefined && bound.uid !== uid) return status(409, "The UID does not match.");
    const endsAt = Date.now() + expirationSeconds * 1_000;
    const token = `issued-token-${this.#tokens.size + 1}-${this.#newUid()}`;
    this.#tokens.set(token, { account: path.slice(0, path.lastIndexOf("/")), secret, uid, endsAt });
    return { status: 201, body: { status: { token, expirationTimestamp: new Date(endsAt).toISOString() } } };
  }

  /** The service account that a token stands for; null when it has ended, or what it is bound to is gone. */
  accountOf(token: string): string | null {
    const issued = this.#tokens.get(token);
    if (issued === undefined || issued.endsAt <= Date.now() || !this.#stored.has(issued.account)) return null;
    const stands = issued.secret === null || this.#stored.get(issued.secret)?.metadata.uid === issued.uid;
    return stands ? issued.account : null;
  }

  #listMetrics(): Answer {
    if (this.metrics === null) return this.#notFound("/apis/metrics.k8s.io/v1beta1/nodes");
    const items = Object.entries(this.metrics).map(([name, usage]) => ({ metadata: { name }, usage }));
    return { status: 200, body: { items } };
  }

  #notFound(path: string): Answer {
    return status(404, `"${path}" not found`);
  }

  #newUid(): string {
    this.#uids += 1;
    return `uid-${this.#uids}`;
  }
}

const status = (code: number, message: string): Answer => ({
  status: code,
  body: { kind: "Status", status: "Failure", message, code },
});

/** `/api/v1/nodes`, `/api/v1/namespaces/x/pods`, `/apis/g/v1/things`: the plural is last. */
function isCollection(path: string): boolean {
  const parts = path.split("/").filter((part) => part !== "");
  const rest = parts[0] === "api" ? parts.slice(2) : parts.slice(3);
  return rest[0] === "namespaces" && rest.length > 2 ? rest.length % 2 === 1 : rest.length === 1;
}

function matches(object: Stored, selector: string | null): boolean {
  const node = /^spec\.nodeName=(.*)$/.exec(selector ?? "")?.[1];
  return node === undefined || object.spec?.["nodeName"] === node;
}

/** RFC 7386. */
function merge(target: unknown, patch: unknown): unknown {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return patch;
  const base = typeof target === "object" && target !== null && !Array.isArray(target) ? target : {};
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = merge(merged[key], value);
  }
  return merged;
}
