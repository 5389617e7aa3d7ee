import { API_VERSION, type ClusterSpec, KIND, makeProblem, type Problem } from "@drover/contract";
import { type Allocation, type AllocationWish, NODE_SUBNET, wishForPort } from "../../domain/allocation.ts";
import { writeCsv } from "./csv.ts";

/** The columns of environments.csv, in the order in which they are written. */
export const COLUMNS = ["name", "provider", "subnet", "node_port", "pf_port", "http_port", "https_port"] as const;
export type Column = (typeof COLUMNS)[number];
export type EnvironmentRow = Readonly<Record<Column, string>>;

/** What older files call the same. */
export const OTHER_NAMES: Readonly<Record<string, Column>> = { env: "name", cluster_subnet: "subnet" };

const PROVIDERS = ["kind", "k3d"];
const INGRESS = { http: 80, https: 443 } as const;

/** A line as it would be written for a cluster, with what was chosen for it where its spec leaves something open. */
export function toRow(name: string, spec: ClusterSpec, chosen: readonly Allocation[] = []): EnvironmentRow {
  const port = (wanted: string) => spec.networking?.ports?.find((one) => one.name === wanted);
  const text = (value: string | number | undefined) => (value === undefined ? "" : String(value));
  const choice = ({ slot }: AllocationWish) => chosen.find((one) => one.slot === slot)?.value;
  const hostPort = (wanted: string) => {
    const exposed = port(wanted);
    return exposed === undefined ? "" : text(exposed.hostPort ?? choice(wishForPort(exposed)));
  };
  return {
    name,
    provider: spec.provider,
    subnet: text(spec.k3d?.subnet ?? choice(NODE_SUBNET)),
    node_port: text(port("node")?.containerPort),
    pf_port: hostPort("node"),
    http_port: hostPort("http"),
    https_port: hostPort("https"),
  };
}

export const ENVIRONMENTS_HEADER = writeCsv([COLUMNS]);

/** The line of an environments.csv for a cluster. */
export function writeLine(...cluster: Parameters<typeof toRow>): string {
  const row = toRow(...cluster);
  return writeCsv([COLUMNS.map((column) => row[column])]);
}

/** The document that a line declares; what cannot be in it is told by column. */
export function toDocument(row: EnvironmentRow): { readonly document: unknown; readonly problems: readonly Problem[] } {
  const { name, provider, subnet } = row;
  const problems = [...checkRow(row)];
  const ports = [
    ...(row.node_port === "" ? [] : [publish("node", Number(row.node_port), row.pf_port)]),
    ...(row.http_port === "" ? [] : [publish("http", INGRESS.http, row.http_port)]),
    ...(row.https_port === "" ? [] : [publish("https", INGRESS.https, row.https_port)]),
  ];
  const spec = {
    provider,
    [provider]: provider === "k3d" && subnet !== "" ? { subnet } : {},
    ...(ports.length === 0 ? {} : { networking: { ports } }),
  };
  return { document: { apiVersion: API_VERSION, kind: KIND, metadata: { name }, spec }, problems };
}

const publish = (name: string, containerPort: number, hostPort: string) => ({
  ...{ name, containerPort },
  ...(hostPort === "" ? {} : { hostPort: Number(hostPort) }),
});

function* checkRow({ name, provider, subnet, node_port, pf_port, http_port, https_port }: EnvironmentRow) {
  if (name === "") yield makeProblem("name", "required", "The line names no cluster.");
  if (!PROVIDERS.includes(provider)) {
    const message = `A line can declare a cluster of kind or k3d, not of "${provider}".`;
    yield makeProblem("provider", "unknown-value", message, "Write kind or k3d.");
  }
  if (provider === "kind" && subnet !== "") {
    yield makeProblem("subnet", "field-unsupported", "kind has no subnet of its own.");
  }
  if (pf_port !== "" && node_port === "") {
    yield makeProblem("node_port", "field-needed", "A pf_port needs the node_port that it leads to.");
  }
  for (const [column, value] of Object.entries({ node_port, pf_port, http_port, https_port })) {
    if (value !== "" && !/^[0-9]{1,5}$/.test(value)) yield makeProblem(column, "wrong-type", "A port is a number.");
  }
}
