/** A limited process connects only to the destinations of its settings, whichever API opens the connection. */
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { gzipSync } from "node:zlib";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { startChild, tsxArguments } from "#server/operations/child-process.ts";

const servers: Server[] = [];
const mails = new SMTPServer({ authOptional: true, disabledCommands: ["STARTTLS"] });
const heard: string[] = [];
let outcomes: Record<string, string> = {};

async function listening(name: string, answer: RequestListener): Promise<string> {
  const server = createServer(answer).on("connection", () => heard.push(name));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return address === null || typeof address === "string" ? "" : `http://127.0.0.1:${address.port}/`;
}

const megabytes = (count: number) => Buffer.alloc(count * 1024 * 1024);

beforeAll(async () => {
  const stranger = await listening("stranger", (_request, response) => response.end("hello"));
  const permitted = await listening("permitted", ({ url }, response) => {
    if (url === "/redirect") response.writeHead(302, { Location: stranger }).end();
    else if (url === "/silent") return;
    else if (url === "/dripping") response.write("a");
    else if (url === "/long") response.end(megabytes(40));
    else if (url === "/bomb")
      response.writeHead(200, { "Content-Encoding": "gzip" }).end(gzipSync(megabytes(40)));
    else response.end("hello");
  });
  const mail = mails.listen(0, "127.0.0.1");
  await once(mail, "listening");
  const mailAddress = z.object({ port: z.number() }).parse(mail.address());
  const lines: string[] = [];
  const child = startChild({
    name: "tries",
    args: tsxArguments("tests/support/egress-tries.ts", permitted, stranger, `localhost:${mailAddress.port}`),
    env: process.env,
    onLine: (line) => lines.push(line),
  });
  expect(await child.ended, lines.join("\n")).toBe("code 0");
  outcomes = z.record(z.string(), z.string()).parse(JSON.parse(lines.at(-1) ?? ""));
});
afterAll(() => {
  mails.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

describe("a limited process", () => {
  test("refuses an unknown host before it connects, with any API", () => {
    expect(heard).not.toContain("stranger");
    expect(outcomes["another mail server"]).not.toBe("verified");
    const refused = Object.keys(outcomes).filter((name) => outcomes[name] === "destination_refused");
    expect(refused).toEqual([
      "fetch of the module",
      "global fetch",
      "global fetch with a Request",
      "fetch with a name in front",
      "fetch of a number for an address",
      "fetch of an address within IPv6",
      "fetch of a host that ends alike",
      "fetch of a host that begins alike",
      "undici",
      "axios",
      "http.get",
      "http.get for another host",
      "https.get",
      "http2.connect",
      "net.connect",
      "net.connect without a host",
      "net.connect with options",
      "Socket.connect",
      "tls.connect",
      "tls.connect under another name",
      "a host of a pattern",
      "a later global fetch",
    ]);
  });

  test("reaches the destinations of its settings", () => {
    expect(heard).toContain("permitted");
    expect(outcomes["a permitted host"]).toBe("200 5");
    expect(outcomes["a permitted host by http"]).toBe("response");
    expect(outcomes["the mail server"]).toBe("verified");
  });

  test("returns a redirect instead of following it", () => {
    expect(outcomes["a redirect to a stranger"]).toBe("302 0");
  });

  test("aborts a late or too long response, compressed or not", () => {
    expect(outcomes["a reply that never comes"]).toBe("TimeoutError");
    expect(outcomes["a reply that never ends"]).toBe("TimeoutError");
    expect(outcomes["a reply of 40 MB"]).toBe("reply_too_long");
    expect(outcomes["a reply of 40 MB, compressed"]).toBe("reply_too_long");
  });
});
