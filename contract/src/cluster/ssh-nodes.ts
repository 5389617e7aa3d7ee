import { z } from "zod";
import { defaulted, defaultedBlock } from "./defaults.ts";
import { describe } from "./field.ts";
import { dnsLabel, host, ipAddress, labels, port, secretReference, taint, text } from "./scalars.ts";

export const NODE_ROLES = ["controlplane", "worker", "etcd", "edge"] as const;
export type NodeRole = (typeof NODE_ROLES)[number];

export const userName = text(32, /^[a-z_][a-z0-9_.-]*[$]?$/, "user-name");

/** As `ssh-keygen -l` prints it. */
export const hostKey = text(50, /^SHA256:[A-Za-z0-9+/]{43}$/, "host-key");

export const sshNode = z
  .strictObject({
    name: describe(dnsLabel, "Name of the node in Kubernetes, and of the machine."),
    address: describe(host, "Where Drover reaches the machine."),
    internalAddress: describe(ipAddress, "Where the other nodes reach it, when that differs.").optional(),
    port: describe(port, "Port of sshd, when it differs from the cluster's.").optional(),
    user: describe(userName, "User to log in as, when it differs from the cluster's.").optional(),
    hostKey: describe(hostKey, "Fingerprint of the machine's host key; any other key is refused.", {
      form: { advanced: true },
    }).optional(),
    roles: describe(
      z.array(z.enum(NODE_ROLES)).min(1).max(4),
      "What the node is for. Each is a controlplane or a worker; etcd and edge come beside one of these.",
    ),
    labels: describe(labels, "Labels of the node.").optional(),
    taints: describe(z.array(taint).max(16), "Taints of the node.").optional(),
  })
  .meta({
    cel: [
      {
        rule: "('controlplane' in self.roles) != ('worker' in self.roles)",
        message: "a node is either a controlplane or a worker; etcd and edge come beside one of these",
      },
      { rule: "self.roles.all(role, self.roles.exists_one(other, other == role))", message: "a role is listed twice" },
    ],
  });
export type SshNode = z.output<typeof sshNode>;

const bastion = z.strictObject({
  address: describe(host, "The machine that connections go through."),
  port: describe(defaulted("spec.ssh.access.bastion.port", port), "Port of its sshd."),
  user: describe(userName, "User to log in as there; the same as on the nodes when left out.").optional(),
  credential: describe(secretReference, "Key or password for it; the same as for the nodes when left out.").optional(),
  hostKey: describe(hostKey, "Fingerprint of its host key; any other key is refused.").optional(),
});

const sudo = z
  .strictObject({
    mode: describe(
      defaulted("spec.ssh.access.sudo.mode", z.enum(["none", "passwordless", "password"])),
      "How to become root.",
    ),
    credential: describe(secretReference, "The password for sudo.").optional(),
  })
  .meta({
    cel: [
      {
        rule: "(self.mode == 'password') == has(self.credential)",
        message: "credential must be given for the mode password, and only for it",
      },
    ],
  });

export const sshAccess = z.strictObject({
  user: describe(defaulted("spec.ssh.access.user", userName), "User to log in as."),
  port: describe(defaulted("spec.ssh.access.port", port), "Port of sshd."),
  credential: describe(secretReference, "Key or password to log in with."),
  bastion: describe(bastion, "Machine to go through.").optional(),
  sudo: describe(defaultedBlock("spec.ssh.access.sudo", sudo), "How to become root."),
});
