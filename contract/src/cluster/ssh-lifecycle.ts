import { z } from "zod";
import { defaulted } from "./defaults.ts";
import { describe } from "./field.ts";
import {
  absolutePath,
  block,
  cron,
  duration,
  host,
  integer,
  ipAddress,
  line,
  lineOrNothing,
  map,
  port,
  relativePath,
  relativePathKeys,
  secretReference,
  text,
  url,
} from "./scalars.ts";

export const endpoint = z
  .strictObject({
    type: describe(
      defaulted("spec.ssh.endpoint.type", z.enum(["node", "given", "haproxy", "kube-vip"])),
      "The only control plane itself; an address you provide; HAProxy and keepalived on our machines; or kube-vip.",
    ),
    host: describe(host, "The address you provide (type given).").optional(),
    port: describe(defaulted("spec.ssh.endpoint.port", port), "Port of the endpoint."),
    virtualIp: describe(ipAddress, "Free address that moves between machines (types haproxy and kube-vip).").optional(),
    interface: describe(
      text(15, /^[a-zA-Z0-9][a-zA-Z0-9._-]*$/, "interface"),
      "Network interface that carries it; found when left out.",
      {
        form: { advanced: true },
      },
    ).optional(),
    routerId: describe(integer(1, 255), "VRRP router id, unique in the network segment (type haproxy).", {
      form: { advanced: true },
    }).optional(),
  })
  .meta({
    cel: [
      {
        rule: "(self.type == 'given') == has(self.host)",
        message: "host must be given for the type given, and only for it",
      },
      {
        rule: "(self.type in ['haproxy', 'kube-vip']) == has(self.virtualIp)",
        message: "virtualIp must be given for the types haproxy and kube-vip, and only for them",
      },
    ],
  });

/** A command-line argument of a component, as kubeadm lists them. */
export const argument = z.strictObject({
  name: describe(text(100, /^[a-z][a-z0-9-]*$/, "argument-name"), "Name of the argument, without dashes."),
  value: describe(lineOrNothing(1024), "Its value."),
});

export const etcd = z.strictObject({
  topology: describe(
    defaulted("spec.ssh.etcd.topology", z.enum(["stacked", "separate"])),
    "etcd beside every API server, or on machines of its own.",
  ),
  dataDirectory: describe(absolutePath, "Where etcd keeps its data.", { form: { advanced: true } }).optional(),
  extraArgs: describe(z.array(argument).max(64), "Further arguments of etcd.", { form: { advanced: true } }).optional(),
});

export const containerd = z.strictObject({
  install: describe(
    defaulted("spec.ssh.containerd.install", z.boolean()),
    "Install containerd where it is missing; otherwise its absence is an error.",
  ),
  version: describe(
    text(32, /^[0-9]+[.][0-9]+[.][0-9]+$/, "version"),
    "Version to install; the one among the artifacts when left out.",
  ).optional(),
  dataDirectory: describe(absolutePath, "Where images and containers are kept.").optional(),
  patches: describe(z.array(block(16_384)).max(8), "TOML merged into its configuration.", {
    form: { widget: "textarea", advanced: true },
  }).optional(),
});

export const artifacts = z
  .strictObject({
    source: describe(
      z.enum(["directory", "mirror", "url"]),
      "A folder beside the worker, a mirror with the same tree, or one archive of it at an address.",
    ),
    location: describe(
      line(1024),
      "Absolute path of the folder, or http(s) address of the tree or of the archive (.tar, .tar.gz).",
    ),
    checksums: describe(
      map(relativePathKeys, text(64, /^[a-f0-9]{64}$/, "sha256"), 256),
      "SHA-256 by file, in addition to the checksum file that lies with the artifacts; of an archive, by its own name.",
      { form: { advanced: true } },
    ).optional(),
    offline: describe(
      defaulted("spec.ssh.artifacts.offline", z.boolean()),
      "Fetch nothing from anywhere else: what is missing is an error before anything starts. Otherwise machines pull images of preloadImages that are not there.",
    ),
    credential: describe(
      secretReference,
      "Secret with username and password, or token, for the mirror or the archive.",
    ).optional(),
  })
  .meta({
    cel: [
      {
        rule: "self.source == 'directory' ? self.location.startsWith('/') : self.location.matches('^https?://')",
        message: "location must be an absolute path for the source directory, and an http(s) address otherwise",
      },
    ],
  });

export const proxy = z.strictObject({
  http: describe(url, "Proxy for http.").optional(),
  https: describe(url, "Proxy for https.").optional(),
  no: describe(z.array(line(253)).max(64), "Hosts, domains and networks that are reached directly.").optional(),
});

export const certificates = z.strictObject({
  sans: describe(z.array(host).max(32), "Further names and addresses of the API server.").optional(),
  validityDays: describe(integer(1, 3650), "Lifetime of certificates; a year when left out.").optional(),
  caValidityDays: describe(
    integer(1, 36_500),
    "Lifetime of the certificate authority; ten years when left out.",
  ).optional(),
});

export const apiServerOptions = z.strictObject({
  extraArgs: describe(z.array(argument).max(64), "Further arguments of the API server.").optional(),
  auditPolicy: describe(block(65_536), "Audit policy, as YAML.", { form: { widget: "textarea" } }).optional(),
  admissionConfiguration: describe(block(65_536), "Admission configuration, as YAML.", {
    form: { widget: "textarea" },
  }).optional(),
  encryptSecrets: describe(
    z.boolean(),
    "Encrypt Secrets in etcd, with a key that Drover makes and keeps (kubeadm).",
  ).optional(),
});

const destination = z
  .strictObject({
    type: describe(z.enum(["directory", "s3"]), "A folder beside the worker, or an S3-compatible store."),
    path: describe(absolutePath, "The folder (type directory).").optional(),
    url: describe(url, "Address of the store (type s3).").optional(),
    bucket: describe(text(63, /^[a-z0-9][a-z0-9.-]*[a-z0-9]$/, "bucket"), "Bucket of the store (type s3).").optional(),
    prefix: describe(relativePath, "Start of the object names (type s3).").optional(),
    credential: describe(secretReference, "Access key of the store (type s3).").optional(),
  })
  .meta({
    cel: [
      {
        rule: "self.type == 'directory' ? has(self.path) && !has(self.url) && !has(self.bucket) : !has(self.path) && has(self.url) && has(self.bucket)",
        message: "a directory needs path, s3 needs url and bucket, and neither takes the other's fields",
      },
    ],
  });

export const backup = z.strictObject({
  schedule: describe(cron, "When to take a snapshot of etcd, in cron's five fields.", { form: { widget: "cron" } }),
  destination: describe(destination, "Where snapshots go."),
  keep: describe(defaulted("spec.ssh.backup.keep", integer(1, 1000)), "How many snapshots are kept."),
});

export const upgrade = z.strictObject({
  waveSize: describe(defaulted("spec.ssh.upgrade.waveSize", integer(1, 100)), "How many workers are upgraded at once."),
  drainTimeout: describe(defaulted("spec.ssh.upgrade.drainTimeout", duration), "How long a node may take to empty."),
  gate: describe(
    defaulted("spec.ssh.upgrade.gate", z.enum(["nodes", "nodes-and-pods"])),
    "What must hold before the next wave: nodes are Ready, or system pods too.",
  ),
  snapshotFirst: describe(defaulted("spec.ssh.upgrade.snapshotFirst", z.boolean()), "Take a snapshot of etcd before."),
});
