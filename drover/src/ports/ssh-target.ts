/** The public key of a host, as it stands in `known_hosts`: a type and the key in base64. */
export interface HostKey {
  readonly type: string;
  readonly key: string;
}

/** Tried in this order; what is left out is not tried. */
export interface SshCredentials {
  readonly privateKeys?: readonly { readonly key: string; readonly passphrase?: string | undefined }[];
  /** The socket of an agent on this machine. It is asked to sign, and never lent to the host. */
  readonly agentSocket?: string | undefined;
  /** Also given as the answer when the host asks for one hidden text. */
  readonly password?: string | undefined;
}

export interface SshTarget {
  readonly host: string;
  /** Left out: 22. */
  readonly port?: number | undefined;
  readonly user: string;
  readonly credentials: SshCredentials;
  /** The keys that the host may have. Without any, and without a fingerprint, it is not talked to. */
  readonly hostKeys: readonly HostKey[];
  /** The same where only `SHA256:…` is known, as `ssh-keygen -l` prints it. */
  readonly fingerprints?: readonly string[] | undefined;
  /** Types of key that it is asked for first, beside those of `hostKeys`. */
  readonly keyTypes?: readonly string[] | undefined;
  /** The host from which this one is reached, which may have one of its own. */
  readonly via?: SshTarget | undefined;
  /** For becoming root. Left out: only where none is wanted. */
  readonly sudoPassword?: string | undefined;
}
