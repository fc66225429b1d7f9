/**
 * A relay between the store and the sandbox's mail server that can fail: closed, so that nobody answers, or silent, so that the
 * server accepts a message but the store gets no reply. Records what passed.
 */
import { connect, createServer, type Server, type Socket } from "node:net";
import { freePorts } from "./ports.ts";

export interface PassedMail {
  to: string;
  messageId: string;
}

export interface SmtpRelay {
  /** Value of SMTP_URL for the store. */
  url: string;
  /** Sets the mail server's port, once it is known. */
  leadTo(port: number): void;
  /** Every complete message from the store, oldest first. */
  passed: readonly PassedMail[];
  /** Sends no replies from the end of the next message on. */
  fallSilentAfterNext(): void;
  close(): Promise<void>;
  open(): Promise<void>;
}

export async function startSmtpRelay(): Promise<SmtpRelay> {
  const [port = 0] = await freePorts(1);
  const passed: PassedMail[] = [];
  const sockets = new Set<Socket>();
  let target = 0;
  let silentAfterNext = false;
  let server: Server | null = null;

  function carry(client: Socket): void {
    const upstream = connect(target, "127.0.0.1");
    let said = "";
    let silent = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
      // Either end may be killed at any time, which is the purpose of this relay.
      socket.on("error", () => undefined);
    }
    client.on("data", (chunk) => {
      said += chunk.toString("latin1");
      if (said.includes("\r\n.\r\n")) {
        passed.push({
          to: /^rcpt to:<([^>]*)>/im.exec(said)?.[1] ?? "",
          messageId: /^message-id:\s*(\S+)/im.exec(said)?.[1] ?? "",
        });
        said = "";
        silent = silentAfterNext;
        silentAfterNext = false;
      }
      upstream.write(chunk);
    });
    upstream.on("data", (chunk) => {
      if (!silent) client.write(chunk);
    });
  }

  const open = () =>
    new Promise<void>((resolve, reject) => {
      const opened = createServer(carry);
      opened.once("error", reject);
      opened.listen(port, "127.0.0.1", () => resolve());
      server = opened;
    });
  await open();

  return {
    url: `smtp://127.0.0.1:${port}`,
    leadTo(to) {
      target = to;
    },
    passed,
    fallSilentAfterNext() {
      silentAfterNext = true;
    },
    close: () =>
      new Promise((resolve) => {
        if (server === null) return resolve();
        server.close(() => resolve());
        server = null;
        for (const socket of sockets) socket.destroy();
      }),
    open,
  };
}
