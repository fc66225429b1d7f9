/** A proxy between a client and its PostgreSQL that reads the messages of both sides in transit. */
import { connect, createServer, type Socket } from "node:net";

export interface ProtocolTap {
  /** The database's address, through the tap. */
  url: string;
  stop(): Promise<void>;
}

type Reader = (part: Buffer) => void;

/**
 * @param databaseUrl over TCP, without TLS
 * @param readers.fromClient,fromDatabase create a reader for each connection
 */
export async function tapProtocol(
  databaseUrl: string,
  { fromClient, fromDatabase }: { fromClient?: () => Reader; fromDatabase?: () => Reader },
): Promise<ProtocolTap> {
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(Number(target.port || 5432), target.hostname);
    pass(client, database, fromClient?.());
    pass(database, client, fromDatabase?.());
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      open.add(socket);
      // With Nagle's algorithm, a message in several parts would wait until the other side acknowledges the first.
      socket.setNoDelay(true);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        open.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The tap has no port");
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(address.port);
  return {
    url: url.href,
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pass(from: Socket, to: Socket, read: Reader | undefined): void {
  from.on("data", (part) => {
    read?.(part);
    to.write(part);
  });
}

/**
 * Parses one side's bytes, chunk by chunk, into messages of a type, a length and a body.
 * @param isGreeted false for a client, whose first message has no type
 */
export function messages(
  { isGreeted }: { isGreeted: boolean },
  onMessage: (type: string, body: Buffer) => void,
): Reader {
  let left: Buffer = Buffer.alloc(0);
  let hasType = isGreeted;
  return (part) => {
    left = left.length === 0 ? part : Buffer.concat([left, part]);
    for (;;) {
      const header = hasType ? 5 : 4;
      if (left.length < header) return;
      const length = left.readInt32BE(header - 4) + header - 4;
      if (left.length < length) return;
      const type = hasType ? String.fromCharCode(left[0] ?? 0) : "";
      const body = left.subarray(header, length);
      left = left.subarray(length);
      hasType = true;
      onMessage(type, body);
    }
  };
}
