/** Ports for the local stack and for tests: `get-port`, with a refusal that says what to do. */
import getPort from "get-port";

/** @throws Error that says what to do when something listens there already */
export async function demandFreePort(port: number, variable: string): Promise<void> {
  if ((await getPort({ port })) === port) return;
  throw new Error(
    `Port ${port} is in use. Stop what listens there, or choose another one: ${variable}=${port + 10} npm start`,
  );
}

/** @returns so many different free ports; another process may still be quicker to take one */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await getPort({ exclude: ports }));
  return ports;
}
