/** The ports of the local stack: `get-port`, with an error that says what to do. */
import getPort from "get-port";

/** @throws Error with instructions when the port is taken */
export async function demandFreePort(port: number, variable: string): Promise<void> {
  if ((await getPort({ port })) === port) return;
  throw new Error(
    `Port ${port} is in use. Stop the process using it, or choose another port: ${variable}=${port + 10} npm start`,
  );
}
