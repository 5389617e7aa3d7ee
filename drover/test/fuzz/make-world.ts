import { readFileSync } from "node:fs";
import type { FuzzWorld, OpenApi } from "./requests.ts";

const OPEN_API = new URL("../../../contract/generated/openapi.json", import.meta.url);

export interface FuzzClient {
  /** Asks as an administrator. */
  ask(method: "GET" | "POST", path: string, body?: unknown): Promise<Record<string, never>>;
}

export const FUZZ_DOCUMENT = (name: string) => `
apiVersion: drover.dev/v1alpha1
kind: Cluster
metadata: { name: ${name}, labels: { env: dev } }
spec: { provider: simulated, kubernetes: { version: v1.34.4 }, simulated: { workers: 1 } }
`;

const CLUSTERS = ["fuzz-1", "fuzz-2", "fuzz-3"];

/** Something of everything, through the API; none of it is what the requests themselves are let in by. */
export async function makeFuzzWorld({ ask }: FuzzClient): Promise<FuzzWorld> {
  for (const name of CLUSTERS) await ask("POST", "/api/v1/clusters", FUZZ_DOCUMENT(name));
  const { items } = (await ask("GET", "/api/v1/jobs")) as unknown as { items: { id: string }[] };
  const user = (await ask("POST", "/api/v1/users", { name: "fuzzed", role: "viewer" })) as unknown as { id: string };
  const makeToken = async (role: string, scopes: string[] = []) =>
    (await ask("POST", "/api/v1/tokens", { name: `fuzz ${role}`, role, scopes })) as unknown as {
      token: { id: string };
      secret: string;
    };
  const tokens = [
    await makeToken("admin"),
    await makeToken("operator"),
    await makeToken("viewer"),
    await makeToken("operator", ["env=dev"]),
    await makeToken("operator", ["env=prod"]),
  ];
  const spare = await makeToken("viewer");
  return {
    openApi: JSON.parse(readFileSync(OPEN_API, "utf8")) as OpenApi,
    known: {
      name: CLUSTERS,
      cluster: CLUSTERS,
      id: [...items.map(({ id }) => id), user.id, spare.token.id],
      node: ["fuzz-1-worker-1", "n1"],
      generation: ["1", "2"],
      key: ["notice.text", "notice.level"],
      selector: ["env=dev", "env!=dev,tier", "!a"],
      "idempotency-key": ["k1", "k2"],
      "if-match": ["*", '"1"'],
    },
    tokens: tokens.map(({ secret }) => secret),
    document: FUZZ_DOCUMENT("fuzz-1"),
  };
}
