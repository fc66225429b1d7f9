/** Verification of Partner Center's notifications: certificate host, chain, algorithm and body, each made wrong in turn. */
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { createServer } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type CertificateRequest, issueCertificate } from "#sandbox/vendors/certificates.ts";
import { readNotice, requireSignedWebhook } from "#server/integrations/partner-center/webhooks.ts";
import { waitLimitMs } from "#tests/support/until.ts";

const year = 365 * 86_400_000;
const now = new Date();
const from = new Date(now.getTime() - year);
const to = new Date(now.getTime() + year);
const organisation = "Microsoft Corporation";
const rsa = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
const root = rsa();
const middle = rsa();
const leaf = rsa();
const stranger = rsa();
const rootName = { organisation: "Test", name: "Root" };
const middleName = { organisation: "Test", name: "Middle" };

const rootOf = (
  key: { publicKey: KeyObject; privateKey: KeyObject },
  changes: Partial<CertificateRequest> = {},
) =>
  issueCertificate({
    subject: rootName,
    publicKey: key.publicKey,
    issuer: { ...rootName, privateKey: key.privateKey },
    isAuthority: true,
    from,
    to,
    ...changes,
  });
const middleOf = (changes: Partial<CertificateRequest> = {}) =>
  rootOf(root, { subject: middleName, publicKey: middle.publicKey, ...changes });
const leafOf = (changes: Partial<CertificateRequest> = {}) =>
  issueCertificate({
    subject: { organisation, name: "Notices" },
    publicKey: leaf.publicKey,
    issuer: { ...rootName, privateKey: root.privateKey },
    isAuthority: false,
    from,
    to,
    ...changes,
  });
const byMiddle = { issuer: { ...middleName, privateKey: middle.privateKey } };

/** The response of the certificate's host. Each test uses a new address, because certificates are cached by address. */
let file: string | Buffer = "";
let count = 0;
const server = createServer((_request, response) => void response.end(file));
let host = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  host = address === null || typeof address === "string" ? "" : `127.0.0.1:${address.port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  file = leafOf();
  count += 1;
});

const body = Buffer.from('{"EventName":"subscription-updated"}');
const signed = (text = body, key = leaf.privateKey) => sign("sha256", text, key).toString("base64");
const headersOf = (changes: Record<string, string | null> = {}) => {
  const all: Record<string, string | null> = {
    authorization: `Signature ${signed()}`,
    "x-ms-certificate-url": `http://${host}/${count}.cer`,
    "x-ms-signature-algorithm": "rsa-sha256",
    ...changes,
  };
  const headers = new Headers();
  for (const [name, value] of Object.entries(all)) if (value !== null) headers.set(name, value);
  return headers;
};
const check = (
  headers: Headers = headersOf(),
  {
    text = body,
    authorities = rootOf(root),
    at = now,
  }: { text?: Buffer; authorities?: string; at?: Date } = {},
) =>
  requireSignedWebhook(
    text,
    headers,
    { certificateHosts: [host], authorities, organisation, timeoutMs: waitLimitMs },
    at,
  );

describe("a valid notification", () => {
  test("carries a signature by a trusted authority, in PEM or DER", async () => {
    await check();
    count += 1;
    file = Buffer.from(leafOf().replace(/-----[A-Z ]+-----|\s/g, ""), "base64");
    await check();
  });

  test("carries the signature in its own header", async () => {
    await check(headersOf({ authorization: null, "x-ms-signature": signed() }));
    await check(headersOf({ authorization: null, "x-ms-signature": `Signature ${signed()}` }));
  });

  test("uses an intermediate certificate that is sent along or itself trusted", async () => {
    file = leafOf(byMiddle) + middleOf();
    await check();
    count += 1;
    file = leafOf(byMiddle);
    await check(headersOf(), { authorities: middleOf() });
  });
});

describe("the verification", () => {
  test.each([
    [
      "a certificate of another host",
      () => ({ "x-ms-certificate-url": "https://evil.example/a.cer" }),
      /not an allowed host/,
    ],
    [
      "a host that only begins with an allowed one",
      () => ({ "x-ms-certificate-url": `https://${host}.evil.example/` }),
      /host/,
    ],
    ["an address with a user", () => ({ "x-ms-certificate-url": `http://a@${host}/a.cer` }), /host/],
    [
      "an address without encryption",
      () => ({ "x-ms-certificate-url": "http://evil.example/a.cer" }),
      /host/,
    ],
    ["an invalid address", () => ({ "x-ms-certificate-url": "a.cer" }), /no address/],
    ["a missing certificate", () => ({ "x-ms-certificate-url": null }), /not signed/],
    ["a missing signature", () => ({ authorization: null }), /not signed/],
    ["a bearer token", () => ({ authorization: `Bearer ${signed()}` }), /not signed/],
    ["another algorithm", () => ({ "x-ms-signature-algorithm": "rsa-sha1" }), /rsa-sha1/],
    ["a missing algorithm", () => ({ "x-ms-signature-algorithm": null }), /nothing named/],
    [
      "a signature with another key",
      () => ({ authorization: `Signature ${signed(body, stranger.privateKey)}` }),
      /does not fit/,
    ],
    ["a malformed signature", () => ({ authorization: "Signature nonsense" }), /does not fit/],
  ])("refuses %s", async (_what, changes, why) => {
    await expect(check(headersOf(changes()))).rejects.toThrow(why);
  });

  test("refuses a changed body", async () => {
    await expect(check(headersOf(), { text: Buffer.concat([body, Buffer.from(" ")]) })).rejects.toThrow(
      /fit/,
    );
  });

  test.each<[string, () => string, RegExp]>([
    [
      "of an unknown authority with the same name",
      () => leafOf({ issuer: { ...rootName, privateKey: stranger.privateKey } }),
      /no authority/,
    ],
    [
      "with its own authority included",
      () => leafOf({ issuer: { ...rootName, privateKey: stranger.privateKey } }) + rootOf(stranger),
      /no authority/,
    ],
    [
      "through an intermediate that is not an authority",
      () => leafOf(byMiddle) + middleOf({ isAuthority: false }),
      /no authority/,
    ],
    ["without its intermediate", () => leafOf(byMiddle), /no authority/],
    [
      "of another organisation",
      () => leafOf({ subject: { organisation: "Microsoft", name: organisation } }),
      /not of/,
    ],
    ["that has expired", () => leafOf({ to: new Date(now.getTime() - 1_000) }), /not valid now/],
    ["that is not valid yet", () => leafOf({ from: new Date(now.getTime() + 60_000) }), /not valid now/],
    ["through an expired intermediate", () => leafOf(byMiddle) + middleOf({ to: from }), /not valid now/],
    ["of an authority itself", () => leafOf({ isAuthority: true }), /not a signer's/],
    ["that is unreadable", () => "nothing", /cannot be read/],
    ["that is empty", () => "", /not a signer's/],
  ])("refuses a certificate %s", async (_what, served, why) => {
    file = served();
    await expect(check()).rejects.toThrow(why);
  });

  test("refuses an expired authority, and a missing one", async () => {
    await expect(check(headersOf(), { authorities: rootOf(root, { to: from }) })).rejects.toThrow(
      /authority/,
    );
    await expect(check(headersOf(), { authorities: "" })).rejects.toThrow(/no authority/);
  });

  test("refuses a cached certificate that has expired", async () => {
    await check();
    await expect(check(headersOf(), { at: new Date(to.getTime() + 1_000) })).rejects.toThrow(/not valid now/);
  });
});

test("refuses a file larger than a certificate", async () => {
  file = "a".repeat(70_000);
  await expect(check()).rejects.toThrow("unexpected_answer");
});

test("parses a notification with its subscription id, or null", () => {
  const read = (notice: object) => readNotice(Buffer.from(JSON.stringify(notice)));
  const ResourceUri = "https://api.partnercenter.microsoft.com/webhooks/v1/customers/C/subscriptions/S-1";
  expect(
    read({
      EventName: "subscription-updated",
      ResourceUri,
      ResourceChangeUtcDate: "2026-11-16T16:19:06.3520276+00:00",
    }),
  ).toEqual({
    name: "subscription-updated",
    subscriptionId: "S-1",
    changedAt: new Date("2026-11-16T16:19:06.352Z"),
  });
  expect(read({ EventName: "test-created" })).toEqual({
    name: "test-created",
    subscriptionId: null,
    changedAt: null,
  });
  expect(read({})).toBeNull();
  expect(readNotice(Buffer.from("{"))).toBeNull();
});
