/** The sandbox's Microsoft is as strict as the real one: permitted callers and countries, and the end of a consent. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { RunningSandbox } from "#sandbox/vendors/start.ts";
import { askToken, bearer, consented, contract, partners, post, start } from "./support.ts";

let running: RunningSandbox;
beforeAll(async () => {
  running = await start();
});
beforeEach(() => running.reset());
afterAll(() => running.stop());

const [india, usa] = partners;
const day = 86_400_000;

const call = (path: string, authorization: string, headers: Record<string, string> = contract) =>
  fetch(`${running.url}/partner-center/v1${path}`, { headers: { ...headers, authorization } });
const codeOf = async (response: Response) => [response.status, (await response.json()).code];

async function appOnly(): Promise<string> {
  const { access_token } = await (await askToken(running.url, { grant_type: "client_credentials" })).json();
  return `Bearer ${access_token}`;
}

const refresh = async (token: string, partner: (typeof partners)[number] = india) =>
  askToken(running.url, { grant_type: "refresh_token", refresh_token: token }, partner);
const refusalOf = async (response: Response) => {
  const { error, error_description } = await response.json();
  return [response.status, error, /AADSTS\d+/.exec(error_description)?.[0]];
};

function customerIn(country: string, domain: string) {
  const address =
    country === "IN"
      ? { city: "Bengaluru", state: "KA", postalCode: "560001" }
      : { city: "Austin", state: "TX", postalCode: "78701" };
  return {
    companyProfile: { domain, organizationRegistrationNumber: country === "IN" ? "AABCB1234C" : undefined },
    billingProfile: {
      email: "buyer@example.com",
      culture: "en-IN",
      language: "en",
      companyName: "Fresh",
      defaultAddress: {
        firstName: "Asha",
        lastName: "Rao",
        addressLine1: "1 Main Road",
        country,
        phoneNumber: "+919999999999",
        ...address,
      },
    },
  };
}

test("the application alone may read, and may not call what a user has to", async () => {
  const authorization = await appOnly();
  const { id } = await (
    await post(`${running.url}/partner-center/v1/customers`, customerIn("IN", "a.onmicrosoft.com"), {
      ...contract,
      authorization,
    })
  ).json();
  expect((await call(`/customers/${id}`, authorization)).status).toBe(200);
  expect((await call(`/customers/${id}/agreements`, authorization)).status).toBe(200);
  for (const path of [
    "/customers/relationshiprequests",
    `/customers/${id}/users`,
    `/customers/${id}/directoryroles`,
  ])
    expect(await codeOf(await call(path, authorization)), path).toEqual([403, "900329"]);
  const agreement = await post(
    `${running.url}/partner-center/v1/customers/${id}/agreements`,
    {},
    {
      ...contract,
      authorization,
    },
  );
  expect(await codeOf(agreement)).toEqual([403, "900329"]);
  expect((await call("/customers/relationshiprequests", await bearer(running.url))).status).toBe(200);
});

test("rejects calls of a user without a valid second factor", async () => {
  const { access_token: weak } = await consented(running.url, "no-mfa");
  expect(await codeOf(await call("/agreements", `Bearer ${weak}`))).toEqual([401, "900421"]);
  const strong = await bearer(running.url);
  expect((await call("/agreements", strong)).status).toBe(200);
  await post(`${running.url}/control/partner`, { mfaCounts: false });
  expect(await codeOf(await call("/agreements", strong))).toEqual([401, "900421"]);
});

test("refuses a call without the version of the contract", async () => {
  expect((await call("/agreements", await bearer(running.url), {})).status).toBe(400);
});

test("ends a refresh token that is idle for 90 days, not when a newer one is used", async () => {
  const { refresh_token: first } = await consented(running.url);
  await post(`${running.url}/control/clock`, { offsetMs: 89 * day });
  const { refresh_token: second } = await (await refresh(first)).json();
  await post(`${running.url}/control/clock`, { offsetMs: 100 * day });
  expect((await refresh(second)).status).toBe(200);
  expect(await refusalOf(await refresh(first))).toEqual([400, "invalid_grant", "AADSTS700082"]);
});

test("refuses a revoked refresh token, without revoking another partner's", async () => {
  const { refresh_token: indian } = await consented(running.url);
  const { refresh_token: american } = await consented(running.url, "agent", usa);
  await post(`${running.url}/control/partner`, { revoke: india.country });
  expect(await refusalOf(await refresh(indian))).toEqual([400, "invalid_grant", "AADSTS50173"]);
  expect((await refresh(american, usa)).status).toBe(200);
});

test("limits a partner's secret and tokens to that partner", async () => {
  const { refresh_token } = await consented(running.url);
  expect(await refusalOf(await refresh(refresh_token, usa))).toEqual([400, "invalid_grant", "AADSTS70000"]);
  const wrong = await askToken(running.url, {
    grant_type: "client_credentials",
    client_secret: usa.clientSecret,
  });
  expect(await refusalOf(wrong)).toEqual([401, "invalid_client", "AADSTS7000215"]);
});

test("rejects sales to another country, and shows a partner only its own customers", async () => {
  const authorization = await bearer(running.url);
  const create = (country: string, domain: string, as = authorization) =>
    post(`${running.url}/partner-center/v1/customers`, customerIn(country, domain), {
      ...contract,
      authorization: as,
    });
  expect(await codeOf(await create("US", "b.onmicrosoft.com"))).toEqual([403, "2030"]);
  const american = await bearer(running.url, usa);
  const { id } = await (await create("US", "b.onmicrosoft.com", american)).json();
  expect(await codeOf(await call(`/customers/${id}`, authorization))).toEqual([403, "20002"]);
  expect((await (await call("/customers", authorization)).json()).totalCount).toBe(0);
  const availabilities = "/products/CFQ7TTC0LDPB/skus/0001/availabilities?country=US";
  expect(await codeOf(await call(availabilities, authorization))).toEqual([400, "800070"]);
  expect(await running.approve("b.onmicrosoft.com")).toBeUndefined();
});
