/** Verification of pushed events: signature, issuer, audience, account and age of the token, each made wrong in turn. */
import { createServer } from "node:http";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parsePush, requireGenuinePush } from "#server/integrations/google/push.ts";
import { waitLimitMs } from "#tests/support/until.ts";

const google = await generateKeyPair("RS256");
const stranger = await generateKeyPair("RS256");
const audience = "https://store.example/webhooks/google";
const email = "push@project.iam.gserviceaccount.com";
let certsUrl = "";
let isOut = false;
const server = createServer((_request, response) => {
  if (isOut) return void response.writeHead(500).end();
  exportJWK(google.publicKey).then(
    (key) => response.end(JSON.stringify({ keys: [{ ...key, kid: "1", alg: "RS256", use: "sig" }] })),
    () => response.destroy(),
  );
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  certsUrl = address === null || typeof address === "string" ? "" : `http://127.0.0.1:${address.port}/certs`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const token = (claims: JWTPayload = {}, { privateKey } = google) =>
  new SignJWT({ iss: "https://accounts.google.com", aud: audience, email, email_verified: true, ...claims })
    .setProtectedHeader({ alg: "RS256", kid: "1" })
    .setIssuedAt()
    .setExpirationTime(claims.exp ?? "1h")
    .sign(privateKey);
const trust = () => ({ certsUrl, audience, email, timeoutMs: waitLimitMs });
const check = async (jwt: Promise<string>, changes = {}) =>
  requireGenuinePush(`Bearer ${await jwt}`, { ...trust(), ...changes });

test("accepts Google's token of our push account", async () => {
  await check(token());
});

describe("the verification", () => {
  test.each<[string, JWTPayload]>([
    ["another issuer", { iss: "https://evil.example" }],
    ["another audience", { aud: "https://other.example/webhooks/google" }],
    ["another account", { email: "somebody@gmail.com" }],
    ["an account that is not verified", { email_verified: false }],
    ["a time that is over", { exp: Math.floor(Date.now() / 1_000) - 60 }],
  ])("refuses a token of %s", async (_what, claims) => {
    await expect(check(token(claims))).rejects.toThrow(/token/);
  });

  test("refuses a token that Google has not signed", async () => {
    await expect(check(token({}, stranger))).rejects.toThrow(/token is refused/);
    const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from("{}").toString("base64url")}.`;
    await expect(check(Promise.resolve(unsigned))).rejects.toThrow(/token is refused/);
  });

  test("refuses a missing token, and any token while no account is set", async () => {
    await expect(requireGenuinePush(null, trust())).rejects.toThrow("it has no token");
    await expect(check(token(), { email: "" })).rejects.toThrow("none is expected");
    await expect(check(token({ email: "" }), { email: "" })).rejects.toThrow("none is expected");
  });
});

test("reports unreadable keys as such, so that Google sends the event again", async () => {
  isOut = true;
  await expect(check(token(), { certsUrl: `${certsUrl}/out` })).rejects.toThrow("keys_unread");
  isOut = false;
});

test("parses an event with its entitlement, or null", () => {
  const read = (data: object) =>
    parsePush(
      Buffer.from(
        JSON.stringify({
          message: {
            data: Buffer.from(JSON.stringify(data)).toString("base64"),
            publishTime: "2026-11-16T16:19:06Z",
          },
        }),
      ),
    );
  const entitlement = "accounts/A/customers/C/entitlements/E";
  expect(read({ entitlement_event: { event_type: "SUSPENDED", entitlement } })).toEqual({
    name: "SUSPENDED",
    entitlement,
    publishedAt: new Date("2026-11-16T16:19:06Z"),
  });
  expect(
    read({ customer_event: { event_type: "PRIMARY_DOMAIN_VERIFIED", customer: "accounts/A/customers/C" } }),
  ).toMatchObject({
    name: "PRIMARY_DOMAIN_VERIFIED",
    entitlement: null,
  });
  expect(parsePush(Buffer.from('{"message":{}}'))).toBeNull();
  expect(parsePush(Buffer.from("{"))).toBeNull();
});
