// Microsoft's sign-in as in production: the address "common", an issuer for each tenant, and which claims count as verified.
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import type { ProviderCall } from "#server/integrations/http.ts";
import { createIdentityClient, type IdentityFlow } from "#server/integrations/identity-providers/client.ts";
import { waitLimitMs } from "#tests/support/until.ts";
import { failureOf, wire } from "./support.ts";

const server = wire();
const host = "https://login.microsoftonline.com";
const tenant = "3f0c0000-0000-4000-8000-000000000000";
const personal = "9188040d-6c67-4c5b-b112-36a304b66dad";
const callback = "https://store.example/azure/ad/callback";
const issuerOf = (tid: string) => `${host}/${tid}/v2.0`;

const ours = await generateKeyPair("RS256");
const others = await generateKeyPair("RS256");

let calls: ProviderCall[] = [];
const outlook = () =>
  createIdentityClient("outlook", {
    issuer: `${host}/common/v2.0`,
    clientId: "store",
    clientSecret: "hush",
    timeoutMs: waitLimitMs,
    onCall: (call) => calls.push(call),
  });

/** Requests that the token endpoint received, and the claims of its ID tokens. */
let sent: URLSearchParams[] = [];
let claims: JWTPayload = {};
let signedWith = ours.privateKey;
beforeEach(() => {
  calls = [];
  sent = [];
  signedWith = ours.privateKey;
  server.use(
    http.get(`${host}/common/v2.0/.well-known/openid-configuration`, () =>
      HttpResponse.json({
        issuer: `${host}/{tenantid}/v2.0`,
        authorization_endpoint: `${host}/common/oauth2/v2.0/authorize`,
        token_endpoint: `${host}/common/oauth2/v2.0/token`,
        jwks_uri: `${host}/common/discovery/v2.0/keys`,
        id_token_signing_alg_values_supported: ["RS256"],
      }),
    ),
    http.get(`${host}/common/discovery/v2.0/keys`, async () =>
      HttpResponse.json({ keys: [{ ...(await exportJWK(ours.publicKey)), kid: "k1", use: "sig" }] }),
    ),
    http.post(`${host}/common/oauth2/v2.0/token`, async ({ request }) => {
      sent.push(new URLSearchParams(await request.text()));
      const idToken = await new SignJWT(claims)
        .setProtectedHeader({ alg: "RS256", kid: "k1" })
        .setIssuedAt()
        .setExpirationTime("5m")
        .sign(signedWith);
      return HttpResponse.json({
        token_type: "Bearer",
        access_token: "an-access-token",
        expires_in: 300,
        id_token: idToken,
      });
    }),
  );
});

/** Signs a person in with these claims, added to valid ones. */
async function comeBack(
  extra: JWTPayload,
  answer: (flow: IdentityFlow) => Record<string, string> = () => ({}),
) {
  const client = outlook();
  const { flow } = await client.begin(callback);
  claims = {
    iss: issuerOf(tenant),
    tid: tenant,
    aud: "store",
    sub: "subject-1",
    nonce: flow.nonce,
    ...extra,
  };
  const query = new URLSearchParams({ code: "a-code", state: flow.state, ...answer(flow) });
  return { person: client.finish(callback, query, flow), flow };
}
const personWith = async (extra: JWTPayload) => (await comeBack(extra)).person;

test("sends the browser to Microsoft with PKCE, state and nonce, each new", async () => {
  const client = outlook();
  const first = await client.begin(callback);
  const second = await client.begin(callback);
  const url = new URL(first.url);
  expect(url.origin + url.pathname).toBe(`${host}/common/oauth2/v2.0/authorize`);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: "store",
    response_type: "code",
    redirect_uri: callback,
    scope: "openid profile email",
    state: first.flow.state,
    nonce: first.flow.nonce,
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: "S256",
    prompt: "select_account",
  });
  for (const name of ["state", "nonce", "verifier"] as const) {
    expect(first.flow[name].length).toBeGreaterThanOrEqual(43);
    expect(first.flow[name]).not.toBe(second.flow[name]);
  }
  // The endpoints are fetched once.
  expect(calls).toHaveLength(1);
});

test("identifies the person by their tenant's issuer, and sends verifier and secret", async () => {
  const { person, flow } = await comeBack({
    name: "Asha  Rao Menon",
    email: "asha@contoso.example",
    preferred_username: "someone.else@contoso.example",
    xms_edov: true,
  });
  expect(await person).toEqual({
    provider: "outlook",
    issuer: issuerOf(tenant),
    subject: "subject-1",
    email: "asha@contoso.example",
    emailIsVerified: true,
    firstName: "Asha",
    lastName: "Rao Menon",
  });
  expect(Object.fromEntries(sent[0] ?? [])).toMatchObject({
    code: "a-code",
    code_verifier: flow.verifier,
    redirect_uri: callback,
    client_secret: "hush",
  });
  expect(calls.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([
    "GET /common/v2.0/.well-known/openid-configuration 200",
    "POST /common/oauth2/v2.0/token 200",
    "GET /common/discovery/v2.0/keys 200",
  ]);
});

describe("an email", () => {
  const email = "asha@contoso.example";
  test.each([true, 1, "1", "true"])("counts as verified when xms_edov is %j", async (xms_edov) => {
    expect(await personWith({ email, xms_edov })).toMatchObject({ email, emailIsVerified: true });
  });

  test.each([undefined, false, 0, "0", "false", "", null, "yes", {}, []])(
    "counts as unverified when xms_edov is %j",
    async (value) => {
      const extra = value === undefined ? {} : { xms_edov: value };
      expect(await personWith({ email, ...extra })).toMatchObject({ email, emailIsVerified: false });
    },
  );

  test("counts as verified for a personal account", async () => {
    const extra = { iss: issuerOf(personal), tid: personal, email };
    expect(await personWith(extra)).toMatchObject({ issuer: issuerOf(personal), emailIsVerified: true });
  });

  test("counts as unverified by email_verified, which any tenant can set", async () => {
    expect(await personWith({ email, email_verified: true })).toMatchObject({ emailIsVerified: false });
  });
});

test.each([undefined, "", "asha", "a b@contoso.example", `${"a".repeat(200)}@contoso.example`])(
  "ignores the email %j without using the username instead",
  async (email) => {
    const extra = email === undefined ? {} : { email };
    const person = await personWith({ ...extra, preferred_username: "asha@contoso.example", xms_edov: true });
    expect(person).toMatchObject({ email: null, emailIsVerified: false });
  },
);

describe("the sign-in", () => {
  test.each<[string, JWTPayload]>([
    ["another tenant's issuer", { iss: issuerOf("00000000-0000-4000-8000-000000000000") }],
    ["another issuer with the personal tenant's id", { tid: personal }],
    ["an issuer outside Microsoft", { iss: "https://issuer.example/v2.0" }],
    ["the template itself", { iss: `${host}/{tenantid}/v2.0` }],
    ["another store's token", { aud: "another-store" }],
    ["another nonce", { nonce: "somebody-elses" }],
    ["no nonce", { nonce: undefined }],
    ["no subject", { sub: undefined }],
    ["an empty subject", { sub: "" }],
  ])("refuses %s", async (_what, extra) => {
    const failure = await failureOf(personWith(extra));
    expect(failure).toMatchObject({ provider: "outlook", kind: "refused" });
  });

  test("refuses a signature with another key", async () => {
    signedWith = others.privateKey;
    expect(await failureOf(personWith({}))).toMatchObject({ kind: "refused" });
  });

  test.each([
    ["another state", { state: "somebody-elses" }],
    ["an answer of another issuer", { iss: "https://issuer.example" }],
  ])("refuses %s without requesting a token", async (_what, answer) => {
    const { person } = await comeBack({}, () => answer);
    expect(await failureOf(person)).toMatchObject({ kind: "refused" });
    expect(sent).toEqual([]);
  });

  test("reports the code when the buyer cancels", async () => {
    const { person } = await comeBack({}, () => ({
      error: "access_denied",
      error_description: "<b>words</b>",
    }));
    expect(await failureOf(person)).toMatchObject({ kind: "refused", code: "access_denied" });
  });

  test("redacts an unknown error code from the address", async () => {
    const { person } = await comeBack({}, () => ({ error: "<script>\nforged log line" }));
    expect(await failureOf(person)).toMatchObject({ code: "unexpected_answer" });
  });
});

describe("a transient error", () => {
  test.each([429, 500, 503])("results from a token endpoint that returns %i", async (status) => {
    server.use(http.post(`${host}/common/oauth2/v2.0/token`, () => new HttpResponse(null, { status })));
    expect(await failureOf(personWith({}))).toMatchObject({ kind: "transient", status });
  });

  test("results from a lost connection, and contains no part of the request", async () => {
    server.use(http.post(`${host}/common/oauth2/v2.0/token`, () => HttpResponse.error()));
    const failure = await failureOf(personWith({}));
    expect(failure).toMatchObject({ kind: "transient", code: "network" });
    expect(JSON.stringify([failure, failure.message, failure.stack, failure.cause])).not.toMatch(
      /a-code|hush/,
    );
  });

  test("results from a failed discovery, which the next sign-in repeats", async () => {
    const client = outlook();
    server.use(
      http.get(`${host}/common/v2.0/.well-known/openid-configuration`, () => HttpResponse.error(), {
        once: true,
      }),
    );
    expect(await failureOf(client.begin(callback))).toMatchObject({ kind: "transient" });
    await expect(client.begin(callback)).resolves.toBeDefined();
  });
});

test("refuses plain http, except on this machine", async () => {
  const at = (issuer: string) =>
    createIdentityClient("outlook", {
      issuer,
      clientId: "store",
      clientSecret: "hush",
      timeoutMs: waitLimitMs,
    }).begin(callback);
  const issuer = "http://127.0.0.1:3100/microsoft-login/common/v2.0";
  server.use(
    http.get(`${issuer}/.well-known/openid-configuration`, () =>
      HttpResponse.json({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
      }),
    ),
  );
  await expect(at(issuer)).resolves.toBeDefined();
  expect(await failureOf(at("http://login.example/v2.0"))).toMatchObject({ kind: "refused" });
});
