import { type ClusterSpec, DroverError } from "@drover/contract";
import type { Module, StepUse, Task } from "../../domain/pipeline.ts";
import type { ProviderCluster, Rotation } from "../../ports/provider.ts";
import { controlPlanesOf, encryptsSecrets, isK3s } from "./declared.ts";
import { gate, JOINING_MS, local, onEach } from "./plan-parts.ts";
import type { SeenMachine } from "./seen-machines.ts";

const REWRITING_MS = 30 * 60_000;

/** One after the other: while one starts anew, the others answer, and can read whatever any of them writes. */
const tellAll = (spec: ClusterSpec): readonly Task[] =>
  controlPlanesOf(spec).flatMap((node) => [
    onEach(`API server of ${node.name}`, [node], (name) => ({
      step: "configure-ssh-control-plane",
      title: `Give the API server of ${name} its keys`,
      deadlineMs: JOINING_MS,
      changes: [`Restarts the API server of ${name} with other keys, unless it has these`],
    })),
    gate(`after ${node.name}`, controlPlanesOf(spec)),
  ]);

const LEAD: Task = local("Lead", { step: "lead-ssh-encryption", title: "Have what was chosen write" });

/** Everything is written by what writes now, and by nothing else; then only that is left. */
export const writeAnew = (spec: ClusterSpec): readonly Task[] => [
  local("Secrets", {
    ...{ step: "rewrite-ssh-secrets", title: "Write all Secrets anew", deadlineMs: REWRITING_MS },
    changes: ["Writes all Secrets anew, as they are, unless they are written so"],
  }),
  local("Settle", { step: "settle-ssh-encryption", title: "Drop what is of no use any more" }),
  ...tellAll(spec),
];

const concernsKeys = (spec: ClusterSpec, machines: readonly SeenMachine[]): boolean =>
  encryptsSecrets(spec) || machines.some(({ encrypts }) => encrypts);

/** Before there is an API server that could need a key. */
export function chooseEncryption(spec: ClusterSpec, machines: readonly SeenMachine[]): readonly Module[] {
  if (!concernsKeys(spec, machines)) return [];
  const choose: StepUse = { step: "choose-ssh-encryption", title: "Choose what Secrets are written with" };
  return [{ title: "Choose a key", tasks: [local("Key", choose)] }];
}

/** Only after nodes that the spec names no more have left: they are told nothing, and could not read on. */
export function finishEncryption(spec: ClusterSpec, machines: readonly SeenMachine[]): readonly Module[] {
  if (!concernsKeys(spec, machines)) return [];
  return [
    { title: `${encryptsSecrets(spec) ? "Encrypt" : "Decrypt"} the Secrets`, tasks: [LEAD, ...tellAll(spec)] },
    { title: "Write the Secrets anew", tasks: writeAnew(spec) },
  ];
}

/** Gives a cluster of kubeadm other keys, or makes everything useless by which a machine could join. */
export function planRotation({ name, spec }: ProviderCluster, what: Rotation): readonly Module[] {
  if (isK3s(spec)) {
    const message = `Drover does not do this for k3s, which "${name}" runs: ${K3S[what]}`;
    throw new DroverError("job-kind-unsupported", message);
  }
  if (what === "tokens") {
    const use: StepUse = {
      ...{ step: "rotate-ssh-tokens", title: "Remove what lets machines join" },
      changes: ["Removes all bootstrap tokens, and the certificates that were shared for joins"],
    };
    return [{ title: "Rotate the tokens", tasks: [local("Tokens", use)] }];
  }
  if (!encryptsSecrets(spec)) {
    throw new DroverError(
      "job-kind-unsupported",
      `The cluster "${name}" does not encrypt its Secrets: set spec.ssh.apiServer.encryptSecrets to true first.`,
    );
  }
  const make: StepUse = {
    ...{ step: "rotate-ssh-encryption", title: "Make a new key" },
    changes: ["Makes a new key, and keeps it in the secret store"],
  };
  return [
    { title: "Make the new key known", tasks: [local("Key", make), ...tellAll(spec)] },
    { title: "Write with the new key", tasks: [LEAD, ...tellAll(spec)] },
    { title: "Write the Secrets anew", tasks: writeAnew(spec) },
  ];
}

/** Real k3s does it by itself; what its nodes were told by Drover has to follow by hand. */
const K3S: Readonly<Record<Rotation, string>> = {
  "encryption-key": "type `k3s secrets-encrypt rotate-keys` on a server, and restart k3s on the others.",
  tokens: "type `k3s token rotate` on a server, put the new token in k3s.service.env on all nodes, and restart them.",
};
