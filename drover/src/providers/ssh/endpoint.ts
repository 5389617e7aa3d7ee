import { createHash } from "node:crypto";
import type { ClusterSpec } from "@drover/contract";
import { addressAmongNodes, bracket, controlPlanesOf, sshPart } from "./declared.ts";

/** Programs that were brought along lie in a tree of their own here, with their libraries. */
export const ENDPOINT_FOLDER = "/opt/drover/endpoint";
const CONFIG_FOLDER = "/etc/drover/endpoint";
export const ENDPOINT_PROGRAMS = ["haproxy", "keepalived"] as const;
export type EndpointProgram = (typeof ENDPOINT_PROGRAMS)[number];
export const endpointUnit = (program: EndpointProgram): string => `drover-${program}.service`;

/** Where each API server listens; the endpoint is beside it on the same machines. */
export const API_SERVER_PORT = 6443;

export const hasOwnEndpoint = (spec: ClusterSpec): boolean => sshPart(spec).endpoint.type === "haproxy";

/** Where a program of the endpoint is: the machine's own, or the one that was brought. */
export interface EndpointPlaces {
  readonly haproxy: string | null;
  readonly keepalived: string | null;
  /** The network card that carries the address. */
  readonly card: string;
}

export interface EndpointFile {
  readonly path: string;
  readonly text: string;
}

/** What a control plane needs to be one of those that the endpoint leads to, and that may carry its address. */
export function endpointFiles(spec: ClusterSpec, node: string, places: EndpointPlaces): readonly EndpointFile[] {
  return [
    { path: `${CONFIG_FOLDER}/haproxy.cfg`, text: haproxyConfig(spec) },
    { path: `${CONFIG_FOLDER}/keepalived.conf`, text: keepalivedConfig(spec, node, places.card) },
    {
      path: `/etc/systemd/system/${endpointUnit("haproxy")}`,
      text: unit("The way to the API servers", "haproxy", places.haproxy, `-Ws -f ${CONFIG_FOLDER}/haproxy.cfg`, {
        Type: "notify",
        ExecReload: "/bin/kill -USR2 $MAINPID",
        KillMode: "mixed",
      }),
    },
    {
      path: `/etc/systemd/system/${endpointUnit("keepalived")}`,
      text: unit(
        "The address of the API servers",
        "keepalived",
        places.keepalived,
        `--dont-fork --log-console --vrrp --use-file=${CONFIG_FOLDER}/keepalived.conf --pid=/run/drover-keepalived.pid --vrrp_pid=/run/drover-vrrp.pid`,
        { Type: "simple", ExecReload: "/bin/kill -HUP $MAINPID", KillMode: "process" },
      ),
    },
  ];
}

export const endpointPaths = [
  ...ENDPOINT_PROGRAMS.map((program) => `/etc/systemd/system/${endpointUnit(program)}`),
  CONFIG_FOLDER,
  ENDPOINT_FOLDER,
];

function haproxyConfig(spec: ClusterSpec): string {
  const { port, virtualIp } = sshPart(spec).endpoint;
  const servers = controlPlanesOf(spec).map(
    (node) =>
      `  server ${node.name} ${bracket(addressAmongNodes(node))}:${API_SERVER_PORT} check check-ssl verify none`,
  );
  return `global
  maxconn 8000
  uid 65534
  gid 65534

defaults
  mode tcp
  timeout connect 5s
  timeout client 1h
  timeout server 1h
  timeout check 3s

frontend api
  bind ${virtualIp?.includes(":") ? `:::${port} v4v6` : `*:${port}`}
  default_backend api-servers

backend api-servers
  balance leastconn
  option httpchk GET /readyz
  # Who does not let strangers ask is there all the same.
  http-check expect rstatus ^(200|401|403)$
  default-server inter 2s fastinter 500ms downinter 1s rise 1 fall 3 on-marked-down shutdown-sessions
${servers.join("\n")}
`;
}

/** The number by which routers of one segment know each other; the same for all nodes of a cluster. */
function routerId(spec: ClusterSpec): number {
  const { endpoint } = sshPart(spec);
  const [byte = 0] = createHash("sha256").update(String(endpoint.virtualIp)).digest();
  return endpoint.routerId ?? (byte % 255) + 1;
}

function keepalivedConfig(spec: ClusterSpec, name: string, card: string): string {
  const { endpoint } = sshPart(spec);
  const nodes = controlPlanesOf(spec);
  const at = nodes.findIndex((node) => node.name === name);
  const own = nodes[at] as (typeof nodes)[number];
  const peers = nodes.filter((node) => node !== own).map((node) => `    ${addressAmongNodes(node)}`);
  return `global_defs {
  router_id ${name}
  script_user root
  enable_script_security
}

vrrp_script haproxy_runs {
  script "/bin/systemctl is-active --quiet ${endpointUnit("haproxy")}"
  interval 2
  fall 2
  rise 1
}

vrrp_instance api {
  state BACKUP
  interface ${card}
  virtual_router_id ${routerId(spec)}
  priority ${200 - at}
  advert_int 1
  unicast_src_ip ${addressAmongNodes(own)}
${peers.length === 0 ? "" : `  unicast_peer {\n${peers.join("\n")}\n  }\n`}  virtual_ipaddress {
    ${endpoint.virtualIp} dev ${card}
  }
  track_script {
    haproxy_runs
  }
}
`;
}

const LIBRARIES = [
  "usr/lib/x86_64-linux-gnu",
  "usr/lib/aarch64-linux-gnu",
  "lib/x86_64-linux-gnu",
  "lib/aarch64-linux-gnu",
];

function unit(
  description: string,
  program: EndpointProgram,
  own: string | null,
  args: string,
  more: Readonly<Record<string, string>>,
): string {
  const tree = `${ENDPOINT_FOLDER}/${program}`;
  const libraries = LIBRARIES.map((folder) => `${tree}/${folder}`).join(":");
  return [
    "[Unit]",
    `Description=${description}`,
    "After=network-online.target",
    "Wants=network-online.target",
    "",
    "[Service]",
    ...(own === null ? [`Environment="LD_LIBRARY_PATH=${libraries}"`] : []),
    `ExecStart=${own ?? `${tree}/usr/sbin/${program}`} ${args}`,
    ...Object.entries(more).map(([name, value]) => `${name}=${value}`),
    "Restart=always",
    "RestartSec=1",
    "",
    "[Install]",
    "WantedBy=multi-user.target",
    "",
  ].join("\n");
}
