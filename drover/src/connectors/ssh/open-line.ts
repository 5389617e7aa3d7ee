import { connect, type Socket } from "node:net";
import type { UnreachableReason } from "../../lib/unreachable-error.ts";
import { unreachable } from "./open-client.ts";
import type { SshTarget } from "./ssh-target.ts";

const REASONS: Readonly<Record<string, readonly [UnreachableReason, string]>> = {
  ECONNREFUSED: ["refused", "Nobody listens on this port there."],
  ENOTFOUND: ["name-unknown", "There is no host of this name."],
  EAI_AGAIN: ["name-unknown", "The name could not be looked up."],
  ETIMEDOUT: ["timed-out", "It did not answer."],
  EHOSTUNREACH: ["no-route", "There is no way to it."],
  ENETUNREACH: ["no-route", "There is no way to its network."],
};

/** A plain connection to a host. Rejects with an `UnreachableError`. */
export function openLine(target: SshTarget, connectMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: target.host, port: target.port ?? 22, noDelay: true, keepAlive: true });
    const fail = (reason: UnreachableReason, detail: string, cause?: unknown) => {
      clearTimeout(timer);
      socket.destroy();
      reject(unreachable(target, reason, detail, cause));
    };
    const timer = setTimeout(() => fail("timed-out", `It did not answer within ${connectMs / 1000} s.`), connectMs);
    socket.once("error", (error: NodeJS.ErrnoException) => {
      const [reason, detail] = REASONS[error.code ?? ""] ?? (["no-route", `The system said ${error.code}.`] as const);
      fail(reason, detail, error);
    });
    socket.once("connect", () => {
      clearTimeout(timer);
      socket.removeAllListeners("error");
      resolve(socket);
    });
  });
}
