/**
 * A proxy between the store and its database, like a pooler or a network: it can cut connections without closing them properly,
 * and it can go silent and deliver the data later.
 */
import { connect, createServer, type Socket } from "node:net";

export interface TcpProxy {
  port: number;
  /** Ends every connection at once, without a message from the database. */
  cut(): void;
  /** Passes nothing on existing connections; new ones are not affected. @returns a function that delivers the held data */
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
      // Either end may close at any time, which is the purpose of this proxy.
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
