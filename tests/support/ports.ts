/** Finds unused ports. */
import getPort from "get-port";

/** @returns this many different free ports, which another process could still take first */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await getPort({ exclude: ports }));
  return ports;
}
