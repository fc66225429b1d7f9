/** Whose a notice of Partner Center is: its certificate's host and chain, its algorithm, its body, one by one made wrong. */
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

/** What the certificate's host serves, at a new address each time, as certificates are kept by address. */
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

describe("accepted", () => {
  test("signed with a certificate of a trusted authority, in PEM or in DER", async () => {
    await check();
    count += 1;
    file = Buffer.from(leafOf().replace(/-----[A-Z ]+-----|\s/g, ""), "base64");
    await check();
  });

  test("with the signature in its own header", async () => {
    await check(headersOf({ authorization: null, "x-ms-signature": signed() }));
    await check(headersOf({ authorization: null, "x-ms-signature": `Signature ${signed()}` }));
  });

  test("through an authority between, sent along or trusted itself", async () => {
    file = leafOf(byMiddle) + middleOf();
    await check();
    count += 1;
    file = leafOf(byMiddle);
    await check(headersOf(), { authorities: middleOf() });
  });
});

describe("refused", () => {
  test.each([
    [
      "of another host",
      () => ({ "x-ms-certificate-url": "https://evil.example/a.cer" }),
      /not an allowed host/,
    ],
    [
      "of a host that only begins so",
      () => ({ "x-ms-certificate-url": `https://${host}.evil.example/` }),
      /host/,
    ],
    ["with a user in the address", () => ({ "x-ms-certificate-url": `http://a@${host}/a.cer` }), /host/],
    ["without encryption", () => ({ "x-ms-certificate-url": "http://evil.example/a.cer" }), /host/],
    ["at no address", () => ({ "x-ms-certificate-url": "a.cer" }), /no address/],
    ["without a certificate", () => ({ "x-ms-certificate-url": null }), /not signed/],
    ["without a signature", () => ({ authorization: null }), /not signed/],
    ["with a session's token", () => ({ authorization: `Bearer ${signed()}` }), /not signed/],
    ["by another algorithm", () => ({ "x-ms-signature-algorithm": "rsa-sha1" }), /rsa-sha1/],
    ["by no algorithm", () => ({ "x-ms-signature-algorithm": null }), /nothing named/],
    [
      "by another key",
      () => ({ authorization: `Signature ${signed(body, stranger.privateKey)}` }),
      /does not fit/,
    ],
    ["by nonsense", () => ({ authorization: "Signature nonsense" }), /does not fit/],
  ])("%s", async (_what, changes, why) => {
    await expect(check(headersOf(changes()))).rejects.toThrow(why);
  });

  test("a body that was changed", async () => {
    await expect(check(headersOf(), { text: Buffer.concat([body, Buffer.from(" ")]) })).rejects.toThrow(
      /fit/,
    );
  });

  test.each<[string, () => string, RegExp]>([
    [
      "of a stranger's authority of the same name",
      () => leafOf({ issuer: { ...rootName, privateKey: stranger.privateKey } }),
      /no authority/,
    ],
    [
      "with the authority it brings itself",
      () => leafOf({ issuer: { ...rootName, privateKey: stranger.privateKey } }) + rootOf(stranger),
      /no authority/,
    ],
    [
      "through one that is no authority",
      () => leafOf(byMiddle) + middleOf({ isAuthority: false }),
      /no authority/,
    ],
    ["without the one between", () => leafOf(byMiddle), /no authority/],
    [
      "of another organisation",
      () => leafOf({ subject: { organisation: "Microsoft", name: organisation } }),
      /not of/,
    ],
    ["that has expired", () => leafOf({ to: new Date(now.getTime() - 1_000) }), /not valid now/],
    ["that is not valid yet", () => leafOf({ from: new Date(now.getTime() + 60_000) }), /not valid now/],
    ["through one that has expired", () => leafOf(byMiddle) + middleOf({ to: from }), /not valid now/],
    ["of an authority itself", () => leafOf({ isAuthority: true }), /not a signer's/],
    ["that is none", () => "nothing", /cannot be read/],
    ["that is empty", () => "", /not a signer's/],
  ])("a certificate %s", async (_what, served, why) => {
    file = served();
    await expect(check()).rejects.toThrow(why);
  });

  test("when the authority has expired, and while none is set", async () => {
    await expect(check(headersOf(), { authorities: rootOf(root, { to: from }) })).rejects.toThrow(
      /authority/,
    );
    await expect(check(headersOf(), { authorities: "" })).rejects.toThrow(/no authority/);
  });

  test("a certificate that is kept, once it has expired", async () => {
    await check();
    await expect(check(headersOf(), { at: new Date(to.getTime() + 1_000) })).rejects.toThrow(/not valid now/);
  });
});

test("a file larger than a certificate is not taken", async () => {
  file = "a".repeat(70_000);
  await expect(check()).rejects.toThrow("unexpected_answer");
});

test("a notice names its subscription, or none", () => {
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
