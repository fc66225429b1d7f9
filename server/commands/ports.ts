/** Ports for the local stack and for tests: `get-port`, with an error that says what to do. */
import getPort from "get-port";

/** @throws Error with instructions when the port is taken */
export async function demandFreePort(port: number, variable: string): Promise<void> {
  if ((await getPort({ port })) === port) return;
  throw new Error(
    `Port ${port} is in use. Stop what listens there, or choose another one: ${variable}=${port + 10} npm start`,
  );
}

/** @returns this many different free ports; another process may still take one first */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await getPort({ exclude: ports }));
  return ports;
}
