/** Google's sign-in as in production: one issuer, and which email addresses count as verified. */
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import type { ProviderCall } from "#server/integrations/http.ts";
import { createIdentityClient } from "#server/integrations/identity-providers/client.ts";
import { waitLimitMs } from "#tests/support/until.ts";
import { failureOf, wire } from "./support.ts";

const server = wire();
const issuer = "https://accounts.google.com";
const tokenUrl = "https://oauth2.googleapis.com/token";
const callback = "https://store.example/sign-in/google/callback";
const ours = await generateKeyPair("RS256");
const others = await generateKeyPair("RS256");

let calls: ProviderCall[] = [];
const google = () =>
  createIdentityClient("google", {
    issuer,
    clientId: "store.apps.googleusercontent.com",
    clientSecret: "hush",
    timeoutMs: waitLimitMs,
    onCall: (call) => calls.push(call),
  });

let claims: JWTPayload = {};
let signedWith = ours.privateKey;
beforeEach(() => {
  calls = [];
  signedWith = ours.privateKey;
  server.use(
    http.get(`${issuer}/.well-known/openid-configuration`, () =>
      HttpResponse.json({
        issuer,
        authorization_endpoint: `${issuer}/o/oauth2/v2/auth`,
        token_endpoint: tokenUrl,
        jwks_uri: "https://www.googleapis.com/oauth2/v3/certs",
        id_token_signing_alg_values_supported: ["RS256"],
        code_challenge_methods_supported: ["plain", "S256"],
        token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
      }),
    ),
    http.get("https://www.googleapis.com/oauth2/v3/certs", async () =>
      HttpResponse.json({ keys: [{ ...(await exportJWK(ours.publicKey)), kid: "k1", use: "sig" }] }),
    ),
    http.post(tokenUrl, async () =>
      HttpResponse.json({
        token_type: "Bearer",
        access_token: "an-access-token",
        expires_in: 3_599,
        scope: "openid https://www.googleapis.com/auth/userinfo.email",
        id_token: await new SignJWT(claims)
          .setProtectedHeader({ alg: "RS256", kid: "k1" })
          .setIssuedAt()
          .setExpirationTime("1h")
          .sign(signedWith),
      }),
    ),
  );
});

/** Signs a person in with these claims, added to valid ones. */
async function personWith(extra: JWTPayload) {
  const client = google();
  const { flow } = await client.begin(callback);
  claims = {
    iss: issuer,
    aud: "store.apps.googleusercontent.com",
    sub: "110248495921238986420",
    nonce: flow.nonce,
    ...extra,
  };
  return client.finish(callback, new URLSearchParams({ code: "4/a-code", state: flow.state }), flow);
}

test("sends the browser to Google with PKCE, state, nonce and a choice of account", async () => {
  const { url, flow } = await google().begin(callback);
  const sent = new URL(url);
  expect(sent.origin + sent.pathname).toBe(`${issuer}/o/oauth2/v2/auth`);
  expect(Object.fromEntries(sent.searchParams)).toEqual({
    client_id: "store.apps.googleusercontent.com",
    response_type: "code",
    redirect_uri: callback,
    scope: "openid email profile",
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: "S256",
    prompt: "select_account",
  });
});

test("identifies the person by issuer and subject, and records the calls", async () => {
  const person = await personWith({
    email: "wasim@orchard.example",
    email_verified: true,
    hd: "orchard.example",
    name: "Wasim Ali Khan",
    given_name: "Wasim",
    family_name: "Ali Khan",
  });
  expect(person).toEqual({
    provider: "google",
    issuer,
    subject: "110248495921238986420",
    email: "wasim@orchard.example",
    emailIsVerified: true,
    firstName: "Wasim",
    lastName: "Ali Khan",
  });
  expect(calls.map(({ provider, path }) => `${provider} ${path}`)).toEqual([
    "google-sign-in /.well-known/openid-configuration",
    "google-sign-in /token",
    "google-sign-in /oauth2/v3/certs",
  ]);
});

describe("the email of a token", () => {
  test.each<[string, JWTPayload]>([
    ["of Gmail", { email: "gita@gmail.com", email_verified: true }],
    ["of Gmail in capitals", { email: "Gita@GMAIL.com", email_verified: true }],
    [
      "of a Workspace domain",
      { email: "wasim@orchard.example", email_verified: true, hd: "orchard.example" },
    ],
  ])("counts as verified: %s", async (_what, extra) => {
    expect(await personWith(extra)).toMatchObject({ email: extra.email, emailIsVerified: true });
  });

  test.each<[string, JWTPayload]>([
    ["of another mailbox, verified once", { email: "asha@contoso.example", email_verified: true }],
    ["of a domain that ends alike", { email: "asha@notgmail.com", email_verified: true }],
    ["of a domain that begins alike", { email: "asha@gmail.com.evil.example", email_verified: true }],
    ["of Gmail, not verified", { email: "gita@gmail.com", email_verified: false }],
    ["of Gmail, without a statement", { email: "gita@gmail.com" }],
    ["verified by a string", { email: "gita@gmail.com", email_verified: "true" }],
    [
      "of a Workspace domain, not verified",
      { email: "w@orchard.example", email_verified: false, hd: "orchard.example" },
    ],
    ["of an empty domain", { email: "w@orchard.example", email_verified: true, hd: "" }],
    ["of a domain that is not a string", { email: "w@orchard.example", email_verified: true, hd: true }],
    ["with Microsoft's claim", { email: "w@orchard.example", xms_edov: true }],
  ])("counts as unverified: %s", async (_what, extra) => {
    expect(await personWith(extra)).toMatchObject({ email: extra.email, emailIsVerified: false });
  });
});

describe("the sign-in", () => {
  test.each<[string, JWTPayload]>([
    ["another issuer", { iss: "https://accounts.google.com.evil.example" }],
    ["Microsoft's issuer", { iss: "https://login.microsoftonline.com/common/v2.0" }],
    ["another store's token", { aud: "another-store" }],
    ["another nonce", { nonce: "somebody-elses" }],
    ["no nonce", { nonce: undefined }],
    ["no subject", { sub: undefined }],
  ])("refuses %s", async (_what, extra) => {
    const failure = await failureOf(personWith(extra));
    expect(failure).toMatchObject({ provider: "google-sign-in", kind: "refused" });
  });

  test("refuses a signature with another key", async () => {
    signedWith = others.privateKey;
    expect(await failureOf(personWith({}))).toMatchObject({ kind: "refused" });
  });

  test.each(["invalid_grant", "invalid_client"])("refuses when Google returns %s", async (error) => {
    const status = error === "invalid_client" ? 401 : 400;
    server.use(
      http.post(tokenUrl, () => HttpResponse.json({ error, error_description: "Bad Request" }, { status })),
    );
    expect(await failureOf(personWith({}))).toMatchObject({ kind: "refused", code: error });
  });
});
