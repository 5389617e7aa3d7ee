import type { Client } from "ssh2";

/** A listener that nobody has asked for. */
const NOWHERE = { host: "localhost", port: 1 } as const;

/**
 * Settles when the host has answered, which it does after all that it has sent before; never when the connection is lost
 * before that. Rejects when it is not connected any more. Takes no channel: it asks to end a listener that is not there, which every host refuses.
 */
export function pingHost(client: Client, isLost: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    client.unforwardIn(NOWHERE.host, NOWHERE.port, () => {
      if (!isLost()) resolve();
    });
  });
}
