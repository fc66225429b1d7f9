/** A process with restricted egress that tries to connect in every way that a library could. */
import http from "node:http";
import http2 from "node:http2";
import https from "node:https";
import net from "node:net";
import tls from "node:tls";
import axios from "axios";
import { request } from "undici";
import { z } from "zod";
import { egressFetch, limitEgress } from "#server/foundation/security/egress.ts";
import { createMailTransport } from "#server/integrations/smtp.ts";

const [, , permitted = "", stranger = "", mailServer = ""] = process.argv;
const strangerPort = Number(new URL(stranger).port);
const pattern = "*.blob.core.windows.net:443";
limitEgress({ hosts: [new URL(permitted).host, pattern], mailServer });

const textOf = async (response: Response) => `${response.status} ${(await response.text()).length}`;
const emitted = (socket: NodeJS.EventEmitter) =>
  new Promise<string>((resolve, reject) => {
    socket.once("error", reject);
    for (const event of ["connect", "response"]) socket.once(event, () => resolve(event));
  });
const strangers = `127.0.0.1:${strangerPort}`;
/** Represents the older copy of the platform's fetch, which remix-serve makes global. */
const later = globalThis.fetch;

const tries: Record<string, () => Promise<string>> = {
  "fetch of the module": async () => textOf(await egressFetch(stranger)),
  "global fetch": async () => textOf(await fetch(stranger)),
  "global fetch with a Request": async () => textOf(await fetch(new Request(stranger))),
  "fetch with a name in front": async () =>
    textOf(await fetch(`http://${new URL(permitted).host}@${strangers}/`)),
  "fetch of a number for an address": async () => textOf(await fetch(`http://2130706433:${strangerPort}/`)),
  "fetch of an address within IPv6": async () =>
    textOf(await fetch(`http://[::ffff:127.0.0.1]:${strangerPort}/`)),
  "fetch of a host that ends alike": async () => textOf(await fetch("https://evilblob.core.windows.net/")),
  "fetch of a host that begins alike": async () =>
    textOf(await fetch(`http://127.0.0.1.example:${new URL(permitted).port}/`)),
  undici: async () => String((await request(stranger)).statusCode),
  axios: async () => String((await axios.get(stranger)).status),
  "http.get": () => emitted(http.get(stranger)),
  "http.get for another host": () =>
    emitted(http.get(stranger, { headers: { Host: new URL(permitted).host } })),
  "https.get": () => emitted(https.get(`https://${strangers}/`)),
  // An HTTP/2 session emits `connect` once it has a socket.
  "http2.connect": () =>
    new Promise((_resolve, reject) => {
      http2.connect(stranger).once("error", reject);
    }),
  "net.connect": () => emitted(net.connect(strangerPort, "127.0.0.1")),
  "net.connect without a host": () => emitted(net.connect(strangerPort)),
  "net.connect with options": () => emitted(net.connect({ port: strangerPort, host: "127.0.0.1" })),
  "Socket.connect": () => emitted(new net.Socket().connect(strangerPort, "127.0.0.1")),
  "tls.connect": () => emitted(tls.connect({ port: strangerPort, host: "127.0.0.1" })),
  "tls.connect under another name": () =>
    emitted(tls.connect({ port: strangerPort, host: "127.0.0.1", servername: "localhost" })),
  "a redirect to a stranger": async () => textOf(await fetch(`${permitted}redirect`)),
  "a permitted host": async () => textOf(await fetch(permitted)),
  // A hostname, which nodemailer resolves before it connects.
  "the mail server": async () => {
    await createMailTransport({ smtpUrl: `smtp://${mailServer}`, from: "store@example.com" }).verify();
    return "verified";
  },
  "another mail server": async () => {
    await createMailTransport({
      smtpUrl: `smtp://localhost:${strangerPort}`,
      from: "store@example.com",
    }).verify();
    return "verified";
  },
  "a permitted host by http": () => emitted(http.get(permitted)),
  "a host of a pattern": async () => textOf(await fetch("https://x.blob.core.windows.net./")),
  "a reply that never comes": async () =>
    textOf(await egressFetch(`${permitted}silent`, {}, { timeoutMs: 300 })),
  "a reply that never ends": async () =>
    textOf(await egressFetch(`${permitted}dripping`, {}, { timeoutMs: 300 })),
  "a reply of 40 MB": async () => textOf(await fetch(`${permitted}long`)),
  "a reply of 40 MB, compressed": async () => textOf(await fetch(`${permitted}bomb`)),
  "a later global fetch": async () => {
    globalThis.fetch = (...given) =>
      Promise.reject(new Error(`platform: ${String(given[0])}`, { cause: later }));
    return textOf(await fetch(stranger));
  },
};

const failure = z.object({
  code: z.string().optional().catch(undefined),
  name: z.string().optional(),
  cause: z.unknown().optional(),
});

/** The first error code in the chain of causes. */
function reasonOf(error: unknown): string {
  const { data } = failure.safeParse(error);
  if (data === undefined) return String(error);
  if (data.code !== undefined) return data.code;
  return data.cause === undefined ? (data.name ?? "unknown") : reasonOf(data.cause);
}

const outcomes: Record<string, string> = {};
for (const [name, tried] of Object.entries(tries))
  outcomes[name] = await tried().catch((error: unknown) => reasonOf(error));
process.stdout.write(`${JSON.stringify(outcomes)}\n`, () => process.exit());
