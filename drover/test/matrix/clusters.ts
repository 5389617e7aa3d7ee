import type { ErrorCode } from "@drover/contract";
import { asText } from "../http.ts";
import { describeCluster, type Matrix, type Row } from "./row.ts";

const onCluster = (more: Partial<Row> = {}): Row => ({
  scope: "cluster",
  request: ({ cluster }) => ({ params: { name: cluster } }),
  ...more,
});
const onRunning: Row = { scope: "cluster", request: ({ running }) => ({ params: { name: running } }) };
/** An action, with what a cluster that still waits to be created answers. */
const act = (refusal?: ErrorCode): Row => onCluster(refusal === undefined ? {} : { refusal });

const IF_MATCH = { "if-match": "*" };

export const clusterRows: Pick<Matrix, "clusters" | "clusterActions" | "clusterDetails"> = {
  clusters: {
    listClusters: { scope: "list", request: ({ cluster }) => ({ query: { search: cluster } }) },
    countClusters: {
      scope: "list",
      request: ({ cluster }) => ({ query: { search: cluster } }),
      tells: (text) => (JSON.parse(text) as { total: number }).total > 0,
    },
    getCluster: onCluster(),
    declareCluster: { scope: "declare", request: ({ word }) => ({ body: describeCluster(word) }) },
    editCluster: onCluster({
      request: ({ cluster }) => ({
        ...{ params: { name: cluster }, headers: IF_MATCH },
        body: describeCluster(cluster, { env: "dev", tier: "a" }),
      }),
    }),
    deleteCluster: onCluster(),
    validateCluster: { scope: "none", request: ({ word }) => ({ body: describeCluster(word) }) },
    planChange: {
      scope: "declare",
      request: ({ word }) => ({ params: { name: word }, body: describeCluster(word) }),
    },
    applyPlan: {
      scope: "declare",
      request: async ({ word, test }) => {
        const document = describeCluster(word);
        const plan = await test.ask("POST", `/api/v1/clusters/${word}/plan`, { body: document });
        return {
          params: { name: word },
          body: { document, planHash: asText(plan.json.hash), baseVersion: 0, reason: "planned" },
        };
      },
    },
  },
  clusterActions: {
    cancel: act(),
    retry: act("job-live"),
    reconcile: act("job-live"),
    pause: act(),
    resume: act(),
    protect: act(),
    unprotect: act(),
    adopt: act("job-kind-unsupported"),
    hibernate: act("cluster-not-ready"),
    wake: act("cluster-not-ready"),
    backup: act("job-kind-unsupported"),
    renewCertificates: act("job-kind-unsupported"),
    rotateEncryptionKey: act("job-kind-unsupported"),
    rotateTokens: act("job-kind-unsupported"),
    rollback: onCluster({
      request: ({ cluster }) => ({ params: { name: cluster }, body: { generation: 1, reason: "as it was" } }),
    }),
    extend: onCluster({
      request: ({ cluster }) => ({ params: { name: cluster }, body: { by: "1h" } }),
      refusal: "change-forbidden",
    }),
  },
  clusterDetails: {
    listRevisions: onCluster(),
    getRevision: onCluster({ request: ({ cluster }) => ({ params: { name: cluster, generation: 1 } }) }),
    diffRevisions: onCluster(),
    listNodes: onRunning,
    changeNode: {
      scope: "cluster",
      request: ({ running }) => ({ params: { name: running, node: "n1", action: "cordon" } }),
      refusal: "node-not-found",
    },
    listObjects: onCluster(),
  },
};
