/** Passkey attestations that would make the library fetch an address of the sender or read malformed CBOR. */
import { createServer, type RequestListener, type Server } from "node:http";
import { afterAll, describe, expect, test } from "vitest";
import * as paths from "#server/foundation/paths.ts";
import { attestationFormats, attestationNaming } from "#tests/support/attestation.ts";
import { Authenticator, type Wrongly } from "#tests/support/authenticator.ts";
import { mainContentOf } from "#tests/support/http-browser.ts";
import { signedIn } from "#tests/support/orders.ts";
import { buyerPassword, makeBuyer } from "#tests/support/second-factor.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore();
const heard: string[] = [];
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

async function listening(name: string, answer: RequestListener): Promise<string> {
  const server = createServer(answer).on("connection", () => heard.push(name));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return address === null || typeof address === "string" ? "" : `http://127.0.0.1:${address.port}/list.crl`;
}

const answering = await listening("answering", (_request, response) => response.end("no list"));
const redirecting = await listening("redirecting", (_request, response) =>
  response.writeHead(302, { Location: answering }).end(),
);
const silent = await listening("silent", () => undefined);

async function add(wrongly: Wrongly) {
  const browser = await signedIn(context, stack.url, await makeBuyer(context));
  const { text } = await browser.post(paths.passkeyOptions(), { for: "make" });
  const passkey = new Authenticator(stack.url);
  const answer = await browser.post(paths.passkeys(), {
    intent: "add",
    name: "My phone",
    response: passkey.make(JSON.parse(text), wrongly),
    currentPassword: buyerPassword,
  });
  return { answer, passkey, browser };
}

describe("an attestation with an address of revocation lists", () => {
  const places = { answering, redirecting, silent };
  test.each(
    attestationFormats.flatMap((format) =>
      Object.entries(places).map(([place, address]) => ({ format, place, address })),
    ),
  )("makes the store fetch nothing: $format, $place", async ({ format, address }) => {
    const { answer, passkey, browser } = await add({ attestation: attestationNaming(format, address) });
    expect(heard).toEqual([]);
    expect(answer.status).toBe(200);
    const { text } = await browser.post(paths.passkeyOptions(), { for: "sign-in" });
    const response = passkey.signIn(JSON.parse(text));
    expect((await browser.post(paths.loginPasskey(), { response, next: "/" })).status).toBe(303);
  });

  test.each([
    ["metadata of a cloud", "http://169.254.169.254/latest/meta-data/"],
    ["a file", "file:///etc/passwd"],
    ["data", "data:application/pkix-crl;base64,AAAA"],
  ])("accepts a passkey that names %s", async (_what, address) => {
    const { answer } = await add({ attestation: attestationNaming("android-key", address) });
    expect(answer.status).toBe(200);
  });
});

describe("a malformed attestation object", () => {
  const bytes = (hex: string) => Buffer.from(hex, "hex");
  test.each<[string, (authData: Buffer) => Uint8Array]>([
    ["an empty map", () => bytes("a0")],
    ["a number", () => bytes("01")],
    ["null", () => bytes("f6")],
    ["half a map", () => bytes("a363666d74")],
    ["a map that claims 4 billion entries", () => bytes("baffffffff")],
    ["a text that claims 4 billion bytes", () => bytes("7affffffff61")],
    ["authenticator data that are text", () => bytes("a1686175746844617461656e6f626f64")],
    ["authenticator data of no bytes", () => bytes("a168617574684461746140")],
    ["a key twice", () => bytes("a263666d7401 63666d7402".replace(" ", ""))],
    ["lists in lists, 14,000 deep", () => Buffer.alloc(14_000, 0x81)],
    ["tags of tags, 14,000 deep", () => Buffer.alloc(14_000, 0xc1)],
    ["an unending text", () => bytes("7f")],
    ["authenticator data without their key", (authData) => withData(authData.subarray(0, 80))],
    ["authenticator data that go on", (authData) => withData(Buffer.concat([authData, Buffer.alloc(9)]))],
  ])("gets an error that explains it: %s", async (_what, made) => {
    const { answer } = await add({ attestation: ({ authData }) => made(authData) });
    expect(answer.status).toBe(409);
    expect(mainContentOf(answer.text)).toContain("passkey");
  });

  function withData(authData: Buffer): Uint8Array {
    const head = bytes("a368617574684461746159");
    const size = Buffer.from([authData.length >> 8, authData.length & 0xff]);
    return Buffer.concat([head, size, authData, bytes("63666d74646e6f6e656761747453746d74a0")]);
  }
});
