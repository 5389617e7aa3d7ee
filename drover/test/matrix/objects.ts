import { asText } from "../http.ts";
import type { Made, Matrix, Row } from "./row.ts";

export type ObjectTables =
  | "kubeconfigs"
  | "backups"
  | "batches"
  | "templates"
  | "groups"
  | "secrets"
  | "machines"
  | "imports";

const document = (word: string) => ({
  apiVersion: "drover.dev/v1alpha1",
  kind: "Cluster",
  metadata: { name: word, labels: { env: "dev" } },
  spec: { provider: "simulated", simulated: { workers: 1 } },
});

const batchOrder = ({ cluster }: Made) => ({ operation: "pause", clusters: [cluster], reason: "matrix" });

/** The id of something that the administrator has made by a request. */
const make = async ({ test }: Made, url: string, body: unknown): Promise<string> =>
  asText((await test.ask("POST", url, { body })).json.id);

const onBatch = (more: Partial<Row> = {}): Row => ({
  scope: "none",
  outside: "batch-not-found",
  request: async (made) => ({ params: { id: await make(made, "/api/v1/batches", batchOrder(made)) } }),
  ...more,
});

const templateOf = ({ word }: Made) => ({ name: word, parameters: [], document: document(word) });

async function withTemplate(made: Made): Promise<string> {
  await made.test.ask("POST", "/api/v1/templates", { body: templateOf(made) });
  return made.word;
}

async function withGroup({ test, word }: Made): Promise<string> {
  await test.ask("POST", "/api/v1/groups", { body: { name: word, selector: "env=dev" } });
  return word;
}

async function withSecret({ test, word }: Made): Promise<string> {
  await test.ask("POST", "/api/v1/secrets", { body: { name: word, entries: { key: "value" } } });
  return word;
}

const machineOf = async (made: Made, labels: Readonly<Record<string, string>> = { env: "dev" }) => ({
  ...{ name: made.word, address: `${made.word}.example`, credential: { name: await withSecret(made) }, labels },
});

async function withMachine(made: Made): Promise<string> {
  await made.test.ask("POST", "/api/v1/machines", { body: { machines: [await machineOf(made)] } });
  return made.word;
}

const onMachine = (more: Partial<Row> = {}): Row => ({
  ...{ scope: "none", outside: "machine-not-found" },
  request: async (made) => ({ params: { name: await withMachine(made) } }),
  ...more,
});

/** Simulated clusters have no backups. */
const ofBackup = ({ confirm = false }: { confirm?: boolean }): Row => ({
  scope: "cluster",
  request: ({ running }) => ({
    params: { name: running, id: "none" },
    ...(confirm ? { body: { confirm: running } } : {}),
  }),
  refusal: "backup-not-found",
});

export const objectRows: Pick<Matrix, ObjectTables> = {
  kubeconfigs: {
    createKubeconfig: {
      scope: "cluster",
      request: ({ running }) => ({ params: { name: running }, body: { role: "viewer" } }),
    },
    listKubeconfigs: { scope: "cluster", request: ({ running }) => ({ params: { name: running } }) },
    revokeKubeconfig: {
      scope: "cluster",
      request: async (made) => {
        const url = `/api/v1/clusters/${made.running}/kubeconfigs`;
        return { params: { name: made.running, id: await make(made, url, { role: "viewer" }) } };
      },
    },
  },
  backups: {
    listBackups: { scope: "cluster", request: ({ running }) => ({ params: { name: running } }) },
    getBackup: ofBackup({}),
    restoreBackup: ofBackup({ confirm: true }),
    drillBackup: ofBackup({}),
    listCertificates: {
      scope: "cluster",
      request: ({ running }) => ({ params: { name: running } }),
      refusal: "job-kind-unsupported",
    },
  },
  batches: {
    createBatch: { scope: "none", outside: "validation-failed", request: (made) => ({ body: batchOrder(made) }) },
    listBatches: {
      scope: "list",
      request: async (made) => {
        await make(made, "/api/v1/batches", { ...batchOrder(made), reason: made.word });
        return { query: { limit: "500" } };
      },
      tells: (text, { word }) => text.includes(`"${word}"`),
    },
    getBatch: onBatch(),
    listResults: onBatch(),
    pauseBatch: onBatch(),
    resumeBatch: onBatch(),
    cancelBatch: onBatch(),
  },
  templates: {
    listTemplates: { scope: "none" },
    getTemplate: { scope: "none", request: async (made) => ({ params: { name: await withTemplate(made) } }) },
    createTemplate: { scope: "fleet", request: (made) => ({ body: templateOf(made) }) },
    changeTemplate: {
      scope: "fleet",
      request: async (made) => {
        const { name: _, ...content } = templateOf(made);
        return { params: { name: await withTemplate(made) }, body: content, headers: { "if-match": "*" } };
      },
    },
    deleteTemplate: { scope: "fleet", request: async (made) => ({ params: { name: await withTemplate(made) } }) },
    instantiateTemplate: {
      scope: "declare",
      request: async (made) => ({ params: { name: await withTemplate(made) }, body: { cluster: `t-${made.word}` } }),
    },
  },
  groups: {
    listGroups: { scope: "none" },
    createGroup: { scope: "fleet", request: ({ word }) => ({ body: { name: word, selector: "env=dev" } }) },
    changeGroup: {
      scope: "fleet",
      request: async (made) => ({ params: { name: await withGroup(made) }, body: { selector: "env=prod" } }),
    },
    deleteGroup: { scope: "fleet", request: async (made) => ({ params: { name: await withGroup(made) } }) },
    listViews: { scope: "none" },
    saveView: {
      scope: "none",
      request: ({ word }) => ({ body: { title: word, query: "phase=Running", shared: false } }),
    },
    deleteView: {
      scope: "none",
      request: async (made) => ({
        params: { id: await make(made, "/api/v1/views", { title: made.word, query: "phase=Running", shared: false }) },
      }),
    },
  },
  secrets: {
    listSecrets: {
      scope: "none",
    },
    createSecret: { scope: "fleet", request: ({ word }) => ({ body: { name: word, entries: { key: "value" } } }) },
    replaceSecret: {
      scope: "fleet",
      request: async (made) => ({ params: { name: await withSecret(made) }, body: { entries: { key: "other" } } }),
    },
    deleteSecret: { scope: "fleet", request: async (made) => ({ params: { name: await withSecret(made) } }) },
  },
  machines: {
    listMachines: {
      scope: "list",
      request: async (made) => {
        await withMachine(made);
        return { query: { limit: "500" } };
      },
      tells: (text, { word }) => text.includes(`"${word}"`),
    },
    getMachine: onMachine(),
    enrollMachines: {
      scope: "declare",
      request: async (made) => {
        // Who has a scope may use the secrets of machines within.
        const [machine, name] = [await machineOf(made), await withMachine(made)];
        return { body: { machines: [{ ...machine, name: `${name}-2`, address: `${name}-2.example` }] } };
      },
    },
    changeMachine: onMachine({
      request: async (made) => {
        const name = await withMachine(made);
        const { name: _, ...access } = await machineOf(made);
        return { params: { name }, body: access, headers: { "if-match": "*" } };
      },
    }),
    forgetMachine: onMachine(),
    lookAgain: onMachine(),
    acceptHostKey: onMachine({
      refusal: "host-key-differs",
      request: async (made) => ({
        params: { name: await withMachine(made) },
        body: { fingerprint: `SHA256:${"a".repeat(43)}` },
      }),
    }),
    checkMachines: onMachine({ request: async (made) => ({ body: { machines: [await withMachine(made)] } }) }),
  },
  imports: {
    importKubeconfig: {
      scope: "declare",
      request: ({ word }) => ({
        body: {
          kubeconfig: KUBECONFIG,
          contexts: [{ context: "dev", name: word, labels: { env: "dev" } }],
          dryRun: true,
        },
      }),
    },
    importEnvironments: { scope: "none", request: () => ({ query: { dryRun: "true" }, body: { csv: CSV } }) },
    exportEnvironments: { scope: "list" },
    getConsistency: { scope: "none" },
    checkConsistency: { scope: "none" },
    repairConsistency: {
      ...{ scope: "none", refusal: "validation-failed" },
      request: () => ({ body: { ids: ["none"], reason: "matrix" } }),
    },
  },
};

const KUBECONFIG = `
apiVersion: v1
kind: Config
current-context: dev
contexts: [{ name: dev, context: { cluster: dev, user: dev } }]
clusters: [{ name: dev, cluster: { server: "https://192.0.2.1:6443" } }]
users: [{ name: dev, user: { token: abc } }]
`;

const CSV = "env,provider\n";
