import { createSocket } from "node:dgram";
import { createServer } from "node:net";

/**
 * Whether a program of this machine could listen there, right now. Another one may take it a moment later: whoever needs
 * it has to cope with that all the same. What can be neither tried nor known counts as free.
 */
export function isPortFree(address: string, port: number, protocol: string): Promise<boolean> {
  switch (protocol.toUpperCase()) {
    case "TCP":
      return tryTcp(address, port);
    case "UDP":
      return tryUdp(address, port);
    default:
      return Promise.resolve(true);
  }
}

/** A port that only this user may not listen on can be published by Docker all the same. */
const isTaken = ({ code }: NodeJS.ErrnoException): boolean => code === "EADDRINUSE";

function tryTcp(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve(!isTaken(error)));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

function tryUdp(address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket(address.includes(":") ? "udp6" : "udp4");
    socket.once("error", (error) => {
      socket.close();
      resolve(!isTaken(error));
    });
    socket.bind({ address, port, exclusive: true }, () => socket.close(() => resolve(true)));
  });
}
