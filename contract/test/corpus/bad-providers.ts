import { imported, kind, simulated, ssh } from "./bases.ts";
import { bad, type CorpusEntry } from "./entry.ts";

export const BAD_PROVIDERS: readonly CorpusEntry[] = [
  bad("settings of another provider", kind, { "spec.k3d": {} }, ["provider-block-foreign", "spec.k3d"]),
  bad("machines for a simulated cluster", ssh, { "spec.provider": "simulated" }, [
    "provider-block-foreign",
    "spec.ssh",
  ]),
  bad("ssh without machines", kind, { "spec.provider": "ssh", "spec.kubernetes.version": "v1.34.4" }, [
    "provider-block-missing",
    "spec.ssh",
  ]),
  bad("imported without a kubeconfig", kind, { "spec.provider": "imported" }, [
    "provider-block-missing",
    "spec.imported",
  ]),
  bad("a network for an imported cluster", imported, { "spec.networking": {} }, [
    "field-unsupported",
    "spec.networking",
  ]),
  bad("a version for an imported cluster", imported, { "spec.kubernetes.version": "v1.34.4" }, [
    "field-unsupported",
    "spec.kubernetes.version",
  ]),
  bad("a schedule for an imported cluster", imported, { "spec.maintenance.schedule.hibernate": "0 1 * * *" }, [
    "field-unsupported",
    "spec.maintenance.schedule",
  ]),
  bad("a schedule for machines", ssh, { "spec.maintenance.schedule.hibernate": "0 1 * * *" }, [
    "field-unsupported",
    "spec.maintenance.schedule",
  ]),
  bad("published ports for machines", ssh, { "spec.networking.ports": [{ containerPort: 80 }] }, [
    "field-unsupported",
    "spec.networking.ports",
  ]),
  bad("a published API server for machines", ssh, { "spec.networking.apiServer.port": 6443 }, [
    "field-unsupported",
    "spec.networking.apiServer",
  ]),
  bad("arguments of k3s for kubeadm", ssh, { "spec.ssh.k3sArgs": [] }, ["field-unsupported", "spec.ssh.k3sArgs"]),
  bad("patches of kubeadm for k3s", ssh, { "spec.ssh.distribution": "k3s", "spec.ssh.kubeadmPatches": ["a: b"] }, [
    "field-unsupported",
    "spec.ssh.kubeadmPatches",
  ]),
  bad("a version without v", kind, { "spec.kubernetes.version": "1.34.4" }, ["bad-version", "spec.kubernetes.version"]),
  bad("a version without patch", kind, { "spec.kubernetes.version": "v1.34" }, [
    "bad-version",
    "spec.kubernetes.version",
  ]),
  bad("a number as version", kind, { "spec.kubernetes.version": 1.34 }, ["wrong-type", "spec.kubernetes.version"]),
  bad("a version that is too old", kind, { "spec.kubernetes.version": "v1.30.9" }, [
    "version-unsupported",
    "spec.kubernetes.version",
  ]),
  bad("a version that is too new", simulated, { "spec.kubernetes.version": "v1.99.0" }, [
    "version-unsupported",
    "spec.kubernetes.version",
  ]),
  bad("a version of k3s for kind", kind, { "spec.kubernetes.version": "v1.34.4+k3s1" }, [
    "version-not-k3s",
    "spec.kubernetes.version",
  ]),
  bad("a version of k3s for kubeadm", ssh, { "spec.kubernetes.version": "v1.34.4+k3s1" }, [
    "version-not-k3s",
    "spec.kubernetes.version",
  ]),
  bad("machines without a version", ssh, { "spec.kubernetes": undefined }, [
    "version-required",
    "spec.kubernetes.version",
  ]),
];
