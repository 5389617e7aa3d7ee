import type { SshTarget } from "../../ports/ssh-target.ts";

export type { SshCredentials, SshTarget } from "../../ports/ssh-target.ts";

const MOST_JUMPS = 8;

/** Throws on what could be read as anything but a host and a user. */
export function checkTarget(target: SshTarget): void {
  let jumps = 0;
  for (let at: SshTarget | undefined = target; at; at = at.via) {
    requirePlain("host", at.host);
    requirePlain("user", at.user);
    const { port } = at;
    if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536)) {
      throw new TypeError(`${port} is no port; it must be between 1 and 65535.`);
    }
    if (jumps++ > MOST_JUMPS) throw new TypeError(`A host is reached over at most ${MOST_JUMPS} others.`);
  }
}

/** For people and for errors. */
export function nameTarget({ host, port = 22, user }: SshTarget): string {
  const address = host.includes(":") ? `[${host}]` : host;
  return port === 22 ? `${user}@${address}` : `${user}@${address}:${port}`;
}

function requirePlain(what: string, text: string): void {
  if (!/^[A-Za-z0-9_.:%@\\$-]{1,255}$/.test(text) || text.startsWith("-")) {
    throw new TypeError(`${JSON.stringify(text)} cannot be the ${what} of an SSH connection.`);
  }
}
