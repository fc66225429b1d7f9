/** Returns the port of a test's own web server; throws before it listens. */
import type { Server } from "node:http";

export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server does not listen");
  return address.port;
}
