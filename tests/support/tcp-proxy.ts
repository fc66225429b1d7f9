/**
 * A wire between the store and its database, as a pooler or a network is: it can be cut without a goodbye, and it can fall silent and
 * deliver later what was said meanwhile.
 */
import { connect, createServer, type Socket } from "node:net";

export interface TcpProxy {
  port: number;
  /** Ends every connection at once, without a word of the database's. */
  cut(): void;
  /** Nothing passes on the connections there are; new ones are not concerned. @returns lets it pass again, late */
  silence(): () => void;
  stop(): Promise<void>;
}

export async function startTcpProxy(port: number, target: { host: string; port: number }): Promise<TcpProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((near) => {
    const far = connect(target.port, target.host);
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const socket of pair) {
      socket.on("close", () => {
        pairs.delete(pair);
        for (const each of pair) each.destroy();
      });
      // Either end may go at any time: that is what this is for.
      socket.on("error", () => undefined);
    }
    near.pipe(far);
    far.pipe(near);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const cut = () => {
    for (const [near, far] of pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
  };
  return {
    port,
    cut,
    silence() {
      const silenced = [...pairs];
      for (const [near, far] of silenced) {
        near.unpipe(far).pause();
        far.unpipe(near).pause();
      }
      return () => {
        for (const [near, far] of silenced) {
          near.pipe(far);
          far.pipe(near);
        }
      };
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
}
