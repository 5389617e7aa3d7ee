import type { Machine } from "../../api/objects.ts";

export const SUDO_MODES = ["passwordless", "none", "password"] as const;
export type SudoMode = (typeof SUDO_MODES)[number];

/** How machines are reached, as it is typed. */
export interface AccessDraft {
  readonly user: string;
  readonly port: number;
  readonly secret: string;
  readonly sudo: SudoMode;
  /** The secret with the password for sudo; that to log in with when empty. */
  readonly sudoSecret: string;
  /** As `user@host:port`, of which only the host is needed. */
  readonly bastion: string;
  readonly labels: string;
}

export const EMPTY_ACCESS: AccessDraft = {
  ...{ user: "root", port: 22, secret: "", sudo: "passwordless", sudoSecret: "", bastion: "", labels: "" },
};

export const draftAccess = ({ user, port, credential, sudo, bastion, labels }: Machine): AccessDraft => ({
  ...{ user, port, secret: credential.name, sudo: sudo.mode, sudoSecret: sudo.credential?.name ?? "" },
  bastion: bastion === undefined ? "" : writeBastion(bastion),
  labels: Object.entries(labels)
    .map((pair) => pair.join("="))
    .join(" "),
});

type Bastion = NonNullable<Machine["bastion"]>;
const SSHD_PORT = 22;

/** As `readBastion` reads it. */
export function writeBastion({ user, address, port }: Bastion): string {
  const host = address.includes(":") ? `[${address}]` : address;
  return `${user === undefined ? "" : `${user}@`}${host}${port === SSHD_PORT ? "" : `:${port}`}`;
}

/** What cannot be read is sent as it is, so that the server says what is wrong with it. */
function readBastion(text: string, before: Bastion | undefined) {
  const [, user, bracketed, plain, typedPort] =
    /^(?:([^@]+)@)?(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const address = bracketed ?? plain ?? text;
  const port = typedPort === undefined ? SSHD_PORT : Number(typedPort);
  const { credential, hostKey } = before ?? {};
  // A host key is that of one machine: at another place it would only be refused.
  const isSame = before?.address === address && before.port === port;
  return {
    ...{ address, port },
    ...(user === undefined ? {} : { user }),
    ...(credential === undefined ? {} : { credential }),
    ...(isSame && hostKey !== undefined ? { hostKey } : {}),
  };
}

/** What was typed, as the server takes it. What is said of a bastion or secret besides its name stays as it was. */
export function readAccess(draft: AccessDraft, before?: Machine) {
  const { user, port, secret, sudo, sudoSecret, bastion, labels } = draft;
  const named = (name: string, was: Machine["credential"] | undefined) => (was?.name === name ? was : { name });
  return {
    ...{ user, port, credential: named(secret, before?.credential), labels: readLabels(labels) },
    sudo:
      sudo === "password"
        ? { mode: sudo, credential: named(sudoSecret || secret, before?.sudo.credential) }
        : { mode: sudo },
    ...(bastion.trim() === "" ? {} : { bastion: readBastion(bastion.trim(), before?.bastion) }),
  };
}

/** `rack=a env=dev`; what is no pair is sent as it is, so that the server says what is wrong with it. */
const readLabels = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split(/[\s,;]+/)
      .filter((pair) => pair !== "")
      .map((pair) => {
        const at = pair.indexOf("=");
        return at === -1 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
      }),
  );
