/** Ports that nothing listens on. */
import getPort from "get-port";

/** @returns this many different free ports; another process may still take one first */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await getPort({ exclude: ports }));
  return ports;
}
