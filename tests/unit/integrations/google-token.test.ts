// Access tokens for Google calls: signature, lifetime, and one request for concurrent callers.
import { importSPKI, jwtVerify } from "jose";
import { HttpResponse, http } from "msw";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { ProviderCall } from "#server/integrations/http.ts";
import { channelUrl, privateKey, publicKey, refusal, startGoogle, tokenUrl } from "./google-support.ts";
import { answering, failureOf, json, late, wire } from "./support.ts";

const server = wire();

afterEach(() => vi.useRealTimers());

function tokens(...replies: (() => Response)[]) {
  const { handler, sent } = answering(tokenUrl, ...replies);
  server.use(handler);
  return sent;
}

function channel(...replies: (() => Response)[]) {
  const { handler, sent } = answering(`${channelUrl}/*`, ...replies);
  server.use(handler);
  return sent;
}

const form = (body: unknown) => Object.fromEntries(new URLSearchParams(String(body)));
const free = json({});
const unauthorized = refusal(401, "UNAUTHENTICATED", "Request had invalid authentication credentials.");

describe("the assertion", () => {
  test("carries the service account's signature and names the administrator", async () => {
    const requests = tokens(json({ access_token: "T1", expires_in: 3599, token_type: "Bearer" }));
    const sent = channel(free);
    await startGoogle().checkDomain("a.example");
    expect(requests).toMatchObject([
      { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" } },
    ]);
    const { assertion, ...rest } = form(requests[0]?.body);
    expect(rest).toEqual({ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer" });
    const key = await importSPKI(publicKey, "RS256");
    const { payload, protectedHeader } = await jwtVerify(assertion ?? "", key, { audience: tokenUrl });
    expect(protectedHeader).toMatchObject({ alg: "RS256" });
    expect(payload).toEqual({
      iss: "store@hubs.iam.gserviceaccount.com",
      sub: "admin@reseller.example",
      aud: tokenUrl,
      scope:
        "https://www.googleapis.com/auth/apps.order https://www.googleapis.com/auth/admin.directory.user",
      iat: expect.any(Number),
      exp: (payload.iat ?? 0) + 3600,
    });
    expect(Math.abs((payload.iat ?? 0) - Date.now() / 1000)).toBeLessThan(5);
    expect(sent[0]?.headers.authorization).toBe("Bearer T1");
  });

  test("accepts a key with escaped line ends", async () => {
    const requests = tokens(json({ access_token: "T1" }));
    channel(free);
    const google = startGoogle({ privateKey: privateKey.replaceAll("\n", "\\n") });
    expect((await google.checkDomain("a.example")).status).toBe(0);
    expect(requests).toHaveLength(1);
  });

  test.each(["", "not a key", privateKey.slice(0, 400)])("refuses a malformed key at startup", (key) => {
    expect(() => startGoogle({ privateKey: key })).toThrow("Google's private key is not a key in PEM form");
  });
});

describe("the token", () => {
  test("serves concurrent callers with one request", async () => {
    const requests = tokens(json({ access_token: "T1", expires_in: 3599 }));
    const sent = channel(free);
    const google = startGoogle();
    await Promise.all([1, 2, 3, 4, 5].map((n) => google.checkDomain(`${n}.example`)));
    expect(requests).toHaveLength(1);
    expect(sent).toHaveLength(5);
  });

  test("lasts until shortly before it expires", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const requests = tokens(json({ access_token: "T1", expires_in: 3600 }));
    channel(free);
    const google = startGoogle();
    await google.checkDomain("a.example");
    vi.setSystemTime(Date.now() + 3_470_000);
    await google.checkDomain("a.example");
    expect(requests).toHaveLength(1);
    vi.setSystemTime(Date.now() + 15_000);
    await google.checkDomain("a.example");
    expect(requests).toHaveLength(2);
  });

  test("renews once after a 401, and repeats the call", async () => {
    const requests = tokens(json({ access_token: "T1" }), json({ access_token: "T2" }));
    const sent = channel(unauthorized, free);
    expect((await startGoogle().checkDomain("a.example")).status).toBe(0);
    expect(requests).toHaveLength(2);
    expect(sent.map((one) => one.headers.authorization)).toEqual(["Bearer T1", "Bearer T2"]);
    expect(sent[1]?.body).toEqual(sent[0]?.body);
  });

  test("stops after one renewal: a second 401 is a refusal", async () => {
    const requests = tokens(json({ access_token: "T1" }));
    const sent = channel(unauthorized);
    const error = await failureOf(startGoogle().checkDomain("a.example"));
    expect(error).toMatchObject({ kind: "misconfigured", status: 401, code: "UNAUTHENTICATED" });
    expect([requests.length, sent.length]).toEqual([2, 2]);
  });

  test("renews once for five calls that are refused together", async () => {
    const requests = tokens(json({ access_token: "T1" }), json({ access_token: "T2" }));
    channel(...[1, 2, 3, 4, 5].map(() => unauthorized), free);
    const google = startGoogle();
    await Promise.all([1, 2, 3, 4, 5].map((n) => google.checkDomain(`${n}.example`)));
    expect(requests).toHaveLength(2);
  });

  test.each([
    [
      "not delegated",
      json({ error: "unauthorized_client", error_description: "Client is unauthorized" }, 401),
      { kind: "misconfigured", code: "unauthorized_client" },
    ],
    [
      "an unknown account",
      json({ error: "invalid_grant", error_description: "Invalid grant: account not found" }, 400),
      { kind: "misconfigured", code: "invalid_grant" },
    ],
    ["another shape", json({ id_token: "x" }), { kind: "refused", code: "unexpected_answer" }],
    ["unreachable", () => HttpResponse.error(), { kind: "transient" }],
    ["limited", json({}, 429, { "retry-after": "5" }), { kind: "transient", retryAfterSeconds: 5 }],
  ])(
    "fails the call when it cannot be fetched (%s), and is fetched again for the next",
    async (_name, reply, expected) => {
      const requests = tokens(reply, json({ access_token: "T1" }));
      channel(free);
      const google = startGoogle();
      const error = await failureOf(google.checkDomain("a.example"));
      expect(error).toMatchObject({ provider: "google", ...expected });
      expect((await google.checkDomain("a.example")).status).toBe(0);
      expect(requests).toHaveLength(2);
    },
  );

  test("redacts the assertion in errors", async () => {
    let assertion = "";
    server.use(
      http.post(tokenUrl, async ({ request }) => {
        assertion = new URLSearchParams(await request.text()).get("assertion") ?? "";
        return HttpResponse.json(
          { error: "invalid_grant", error_description: `Bad assertion ${assertion}` },
          { status: 400 },
        );
      }),
    );
    const error = await failureOf(startGoogle().checkDomain("a.example"));
    expect(assertion.split(".")).toHaveLength(3);
    expect(error.description).toBe("Bad assertion ***");
    expect(JSON.stringify(error) + error.message).not.toContain(assertion);
  });
});

test("reports a timeout as transient, and logs the call without credentials", async () => {
  tokens(json({ access_token: "T1" }));
  server.use(late(`${channelUrl}/*`));
  const calls: ProviderCall[] = [];
  const google = startGoogle({ timeoutMs: 100, onCall: (call) => calls.push(call) });
  const error = await failureOf(google.checkDomain("a.example"));
  expect(error).toMatchObject({ kind: "transient", code: "timeout" });
  expect(calls).toMatchObject([
    { provider: "google", method: "POST", path: "/token", status: 200 },
    {
      provider: "google",
      method: "POST",
      path: "/v1/accounts/C0reseller:checkCloudIdentityAccountsExist",
      status: null,
    },
  ]);
});
