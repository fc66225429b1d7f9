// Access tokens for Partner Center: request, lifetime, and one request for concurrent callers.
import { HttpResponse } from "msw";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createPartnerCenter } from "#server/integrations/partner-center.ts";
import { answering, failureOf, json, wire } from "./support.ts";

const server = wire();
const tokenUrl = "https://login.test/hubs.example/oauth2/token";
const domainsUrl = "https://partner.test/v1/domains/:domain";
const free = () => new Response(null, { status: 404 });

afterEach(() => vi.useRealTimers());

function start(refreshToken: string | null = null) {
  const stored: { used: string; newer: string }[] = [];
  const partnerCenter = createPartnerCenter({
    apiUrl: "https://partner.test",
    pricesUrl: "https://prices.example",
    loginUrl: "https://login.test",
    partnerTenant: "hubs.example",
    clientId: "client",
    clientSecret: "hush",
    timeoutMs: 1000,
    consent: {
      readRefreshToken: async () => stored.at(-1)?.newer ?? refreshToken,
      replaceRefreshToken: async (used, newer) => {
        stored.push({ used, newer });
      },
    },
  });
  return { partnerCenter, stored };
}

function tokens(...replies: (() => Response)[]) {
  const { handler, sent } = answering(tokenUrl, ...replies);
  server.use(handler);
  return sent;
}

function domains(...replies: (() => Response)[]) {
  const { handler, sent } = answering(domainsUrl, ...replies);
  server.use(handler);
  return sent;
}

const form = (body: unknown) => Object.fromEntries(new URLSearchParams(String(body)));
const unauthorized = json({ code: 900421, description: "Token expired" }, 401);

describe("the request", () => {
  test("uses the application's credentials before anyone has consented", async () => {
    const requests = tokens(json({ access_token: "T1", expires_in: "3599" }));
    const sent = domains(free);
    const { partnerCenter, stored } = start();
    await partnerCenter.isDomainAvailable("a.example");
    expect(requests).toMatchObject([
      { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" } },
    ]);
    expect(form(requests[0]?.body)).toEqual({
      resource: "https://api.partnercenter.microsoft.com",
      client_id: "client",
      client_secret: "hush",
      grant_type: "client_credentials",
    });
    expect(sent[0]?.headers.authorization).toBe("Bearer T1");
    expect(stored).toEqual([]);
  });

  test("uses the consenting user's refresh token, and stores each new one", async () => {
    const requests = tokens(
      json({ access_token: "T1", expires_in: "3599", refresh_token: "R2" }),
      json({ access_token: "T2", expires_in: "3599", refresh_token: "R3" }),
    );
    domains(free, unauthorized, free);
    const { partnerCenter, stored } = start("R1");
    await partnerCenter.isDomainAvailable("a.example");
    await partnerCenter.isDomainAvailable("a.example");
    expect(form(requests[0]?.body)).toMatchObject({
      grant_type: "refresh_token",
      refresh_token: "R1",
      scope: "openid",
    });
    expect(form(requests[1]?.body)).toMatchObject({ refresh_token: "R2" });
    expect(stored).toEqual([
      { used: "R1", newer: "R2" },
      { used: "R2", newer: "R3" },
    ]);
  });
});

describe("a call that requires a user's consent", () => {
  const usersUrl = "https://partner.test/v1/customers/:tenant/users";

  test("fails without a request before anyone has consented", async () => {
    const requests = tokens(json({ access_token: "T1", expires_in: "3599" }));
    const { handler, sent } = answering(usersUrl, json({ items: [] }));
    server.use(handler);
    const error = await failureOf(start().partnerCenter.findUser("t-1", "a@b.example"));
    expect(error).toMatchObject({ provider: "microsoft", kind: "misconfigured", code: "no_consent" });
    expect([requests.length, sent.length]).toEqual([0, 0]);
  });

  test("carries the user's token after the consent", async () => {
    const requests = tokens(json({ access_token: "T1", expires_in: "3599", refresh_token: "R2" }));
    const { handler, sent } = answering(usersUrl, json({ items: [] }));
    server.use(handler);
    const { partnerCenter, stored } = start();
    await failureOf(partnerCenter.findUser("t-1", "a@b.example"));
    stored.push({ used: "", newer: "R1" });
    await partnerCenter.findUser("t-1", "a@b.example");
    expect(form(requests[0]?.body)).toMatchObject({ grant_type: "refresh_token", refresh_token: "R1" });
    expect(sent[0]?.headers.authorization).toBe("Bearer T1");
  });

  test("fails with Microsoft's code for a missing second factor, after one new token", async () => {
    const requests = tokens(json({ access_token: "T1" }), json({ access_token: "T2" }));
    const { handler } = answering(usersUrl, json({ code: 900421, description: "MFA required" }, 401));
    server.use(handler);
    const error = await failureOf(start("R1").partnerCenter.findUser("t-1", "a@b.example"));
    expect(error).toMatchObject({ kind: "misconfigured", status: 401, code: "900421" });
    expect(requests).toHaveLength(2);
  });
});

test("uses the consent on request, even with a valid token", async () => {
  const requests = tokens(json({ access_token: "T1", expires_in: 3599, refresh_token: "R2" }));
  domains(free);
  const { partnerCenter, stored } = start("R1");
  await partnerCenter.isDomainAvailable("a.example");
  await partnerCenter.refreshConsent();
  expect(requests).toHaveLength(2);
  expect(stored).toHaveLength(2);
  await expect(start().partnerCenter.refreshConsent()).rejects.toMatchObject({ code: "no_consent" });
});

describe("the token", () => {
  test("serves concurrent callers with one request", async () => {
    const requests = tokens(json({ access_token: "T1", expires_in: 3599 }));
    const sent = domains(free);
    const { partnerCenter } = start();
    await Promise.all([1, 2, 3, 4, 5].map((n) => partnerCenter.isDomainAvailable(`${n}.example`)));
    expect(requests).toHaveLength(1);
    expect(sent).toHaveLength(5);
  });

  test("lasts until shortly before it expires", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const requests = tokens(json({ access_token: "T1", expires_in: "3600" }));
    domains(free);
    const { partnerCenter } = start();
    await partnerCenter.isDomainAvailable("a.example");
    vi.setSystemTime(Date.now() + 3_470_000);
    await partnerCenter.isDomainAvailable("a.example");
    expect(requests).toHaveLength(1);
    vi.setSystemTime(Date.now() + 15_000);
    await partnerCenter.isDomainAvailable("a.example");
    expect(requests).toHaveLength(2);
  });

  test("renews once after a 401, and repeats the call with the same request id", async () => {
    const requests = tokens(json({ access_token: "T1" }), json({ access_token: "T2" }));
    const sent = domains(unauthorized, free);
    expect(await start().partnerCenter.isDomainAvailable("a.example")).toBe(true);
    expect(requests).toHaveLength(2);
    expect(sent.map((one) => one.headers.authorization)).toEqual(["Bearer T1", "Bearer T2"]);
    expect(sent[0]?.headers["ms-requestid"]).toBe(sent[1]?.headers["ms-requestid"]);
  });

  test("stops after one renewal: a second 401 is a refusal", async () => {
    const requests = tokens(json({ access_token: "T1" }));
    const sent = domains(unauthorized);
    const error = await failureOf(start().partnerCenter.isDomainAvailable("a.example"));
    expect(error).toMatchObject({ kind: "misconfigured", status: 401 });
    expect([requests.length, sent.length]).toEqual([2, 2]);
  });

  test("renews once for five calls that are refused together", async () => {
    const requests = tokens(json({ access_token: "T1" }), json({ access_token: "T2" }));
    const denied = [1, 2, 3, 4, 5].map(() => unauthorized);
    domains(...denied, free);
    const { partnerCenter } = start();
    await Promise.all([1, 2, 3, 4, 5].map((n) => partnerCenter.isDomainAvailable(`${n}.example`)));
    expect(requests).toHaveLength(2);
  });

  test.each([
    [
      "idle for too long",
      json({ error: "invalid_grant", error_description: "AADSTS700082: refresh-1 has expired" }, 400),
      {
        kind: "misconfigured",
        status: 400,
        code: "AADSTS700082",
        description: "AADSTS700082: *** has expired",
      },
    ],
    [
      "out for a secret that has expired",
      json({ error: "invalid_client", error_description: "AADSTS7000222: the secret has expired" }, 401),
      { kind: "misconfigured", status: 401, code: "AADSTS7000222" },
    ],
    [
      "revoked",
      json({ error: "invalid_grant", error_description: "refresh-1 expired" }, 400),
      { kind: "misconfigured", code: "invalid_grant", description: "*** expired" },
    ],
    ["unreachable", () => HttpResponse.error(), { kind: "transient" }],
    ["limited", json({}, 429, { "retry-after": "5" }), { kind: "transient", retryAfterSeconds: 5 }],
  ])(
    "fails the call when it cannot be fetched (%s), and is fetched again for the next",
    async (_name, reply, expected) => {
      const requests = tokens(reply, json({ access_token: "T1" }));
      domains(free);
      const { partnerCenter } = start("refresh-1");
      const error = await failureOf(partnerCenter.isDomainAvailable("a.example"));
      expect(error).toMatchObject({ provider: "microsoft", ...expected });
      expect(JSON.stringify(error) + error.message).not.toContain("hush");
      expect(await partnerCenter.isDomainAvailable("a.example")).toBe(true);
      expect(requests).toHaveLength(2);
    },
  );
});
