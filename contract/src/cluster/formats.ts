import type { ProblemCode } from "../problems.ts";

/** What a text must look like, in words for people. The schema names the format; messages are made from here. */
export interface Format {
  readonly code: ProblemCode;
  /** Completes the sentence "… is not …". */
  readonly expected: string;
  readonly example: string;
}

const format = (expected: string, example: string, code: ProblemCode = "bad-format"): Format => ({
  code,
  expected,
  example,
});

export const FORMATS = {
  "dns-label": format(
    "a name of lower-case letters, digits and dashes that starts and ends with a letter or digit",
    "dev-1",
    "bad-name",
  ),
  "dns-name": format("a DNS name in lower case", "node-1.example.com", "bad-name"),
  host: format("an IP address or a DNS name in lower case", "192.0.2.10 or node-1.example.com", "bad-address"),
  ip: format("an IP address", "192.0.2.10", "bad-address"),
  cidr: format("a network in CIDR form without host bits", "10.244.0.0/16", "bad-network"),
  duration: format("a number followed by s, m, h or d", "30m"),
  cron: format("a schedule in cron's five fields: minute, hour, day, month, weekday", "0 20 * * 1-5"),
  path: format("an absolute path without .. in it", "/var/lib/data"),
  "relative-path": format("a relative path without .. in it", "apps/whoami"),
  url: format("an http or https address without user or password", "https://mirror.example.com/k8s"),
  source: format(
    "an http or https address, or a relative path among the artifacts",
    "https://example.com/flannel.yaml or cni/flannel.yaml",
  ),
  image: format("an image reference", "registry.example.com/team/app:1.2"),
  line: format("one line of printable text", "main context"),
  text: format("text without control characters", "key: value"),
  "label-key": format("a label key", "team or example.com/team"),
  "label-value": format("a label value of at most 63 letters, digits, dots, dashes and underscores", "platform"),
  "secret-key": format("a key of letters, digits, dots, dashes and underscores", "id_ed25519"),
  "registry-host": format("the host name of a registry, or *", "docker.io"),
  "feature-gate": format("the name of a feature gate", "InPlacePodVerticalScaling"),
  "api-group": format("an API group and version", "api/alpha"),
  "node-filter": format("a node filter of k3d", "server:0, agent:* or all"),
  "volume-source": format("an absolute path or the name of a Docker volume", "/srv/data"),
  "variable-name": format("the name of an environment variable", "HTTP_PROXY"),
  "k3s-argument": format("an argument of k3s that starts with --", "--disable=traefik"),
  memory: format("an amount of memory followed by m or g", "2g"),
  "user-name": format("a user name", "ubuntu"),
  "host-key": format("the SHA-256 fingerprint of a host key", "SHA256: and 43 characters, as ssh-keygen -l prints it"),
  interface: format("the name of a network interface", "eth0"),
  "argument-name": format("the name of an argument without its dashes", "audit-log-maxage"),
  version: format("a version of three numbers", "2.1.4"),
  "kubernetes-version": format("a Kubernetes version", "v1.34.4, or v1.34.4+k3s1 for k3s", "bad-version"),
  sha256: format("a SHA-256 checksum of 64 hexadecimal digits", "e3b0c44298fc1c14…"),
  bucket: format("the name of a bucket", "etcd-backups"),
  branch: format("the name of a git branch in lower case", "dev-1", "bad-name"),
  chart: format("the name of a chart", "ingress-nginx"),
  "chart-version": format("the version of a chart", "4.12.1"),
  timezone: format("the IANA name of a time zone", "Asia/Shanghai"),
  reason: format("one word in CamelCase", "NodesNotReady"),
  timestamp: format("a time as in RFC 3339", "2026-01-31T08:00:00Z"),
  odd: format("an odd number, which etcd needs to outvote a lost member", "1 or 3", "etcd-even"),
  keys: format("a map of at most that many entries", "", "too-many"),
} as const satisfies Record<string, Format>;

export type FormatId = keyof typeof FORMATS;
