/** Where containerd looks for mirrors; read anew at every pull. */
export const CERTIFICATES_FOLDER = "/etc/containerd/certs.d";

export interface RegistryCredential {
  readonly username: string;
  readonly password: string;
}

export interface RegistryMirror {
  readonly host: string;
  readonly endpoints: readonly string[];
  readonly insecure?: boolean | undefined;
}

export interface NodeFile {
  readonly path: string;
  readonly content: string;
}

/** What containerd reads about one registry. May hold a password. */
export function mirrorFile(
  { host, endpoints, insecure }: RegistryMirror,
  credential: RegistryCredential | undefined,
): NodeFile {
  const folder = host === "*" ? "_default" : host;
  const blocks = endpoints.map((endpoint) =>
    [
      `[host.${quote(endpoint)}]`,
      '  capabilities = ["pull", "resolve"]',
      ...(insecure === true ? ["  skip_verify = true"] : []),
      ...(credential === undefined
        ? []
        : [`  [host.${quote(endpoint)}.header]`, `    authorization = ${quote(basic(credential))}`]),
      "",
    ].join("\n"),
  );
  return { path: `${CERTIFICATES_FOLDER}/${folder}/hosts.toml`, content: blocks.join("\n") };
}

/** A text of TOML is written as one of JSON is. */
const quote = (text: string): string => JSON.stringify(text);

const basic = ({ username, password }: RegistryCredential): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
