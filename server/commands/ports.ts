/** Ports: is this one free, and which ones are. */
import { createServer } from "node:net";

/** @throws Error that says what to do when something listens there already */
export async function demandFreePort(port: number, variable: string): Promise<void> {
  try {
    // Both, since a listener on one of them does not always show on the other.
    await listenOnce(port, "127.0.0.1");
    await listenOnce(port, undefined);
  } catch {
    throw new Error(
      `Port ${port} is in use. Stop what listens there, or choose another one: ${variable}=${port + 10} npm start`,
    );
  }
}

/** @returns so many different free ports; another process may still be quicker to take one */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await listenOnce(0, "127.0.0.1"));
  return [...ports];
}

function listenOnce(port: number, host: string | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(port, host, () => {
      const address = server.address();
      const taken = typeof address === "object" && address !== null ? address.port : port;
      server.close(() => resolve(taken));
    });
  });
}
