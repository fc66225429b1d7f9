/** Shared by the tests of the sandbox's Google: a service account's token, calls, and polling of an operation. */
import { expect } from "vitest";
import { post } from "./support.ts";

export const scopes = {
  channel: "https://www.googleapis.com/auth/apps.order",
  directory: "https://www.googleapis.com/auth/admin.directory.user",
};

/** Builds the claims of a service account's assertion. */
export function claims(more: object = {}): object {
  const iat = Math.floor(Date.now() / 1000);
  return {
    iss: "store@project.iam.gserviceaccount.com",
    sub: "admin@reseller.example",
    scope: `${scopes.channel} ${scopes.directory}`,
    aud: "https://oauth2.googleapis.com/token",
    iat,
    exp: iat + 3600,
    ...more,
  };
}

export function assertion(content: object, header: object = { alg: "RS256", typ: "JWT" }): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part(header)}.${part(content)}.c2lnbmF0dXJl`;
}

export function exchange(url: string, jwt: string): Promise<Response> {
  return fetch(`${url}/google-token/token`, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion: jwt }),
  });
}

export async function googleBearer(url: string, more: object = {}): Promise<string> {
  const answer = await exchange(url, assertion(claims(more)));
  expect(answer.status).toBe(200);
  const { access_token, token_type, expires_in } = await answer.json();
  expect([token_type, expires_in]).toEqual(["Bearer", 3600]);
  return `Bearer ${access_token}`;
}

/** Calls the sandbox's Google with one token; names have Google's format, `accounts/C1/customers/...`. */
export function googleAt(url: string, authorization: string) {
  const v1 = (path: string) => `${url}/google-channel/v1/${path}`;
  const users = (path: string) => `${url}/google-directory/admin/directory/v1/users${path}`;
  const ask = async (address: string, method = "GET", body?: unknown) => {
    const response = await fetch(address, {
      method,
      headers: { authorization, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  };
  const self = {
    get: (path: string) => ask(v1(path)),
    post: (path: string, body: unknown = {}) => ask(v1(path), "POST", body),
    users: (path: string, method = "GET", body?: unknown) => ask(users(path), method, body),
    /** Polls the operation that a POST started, and returns its final state. */
    async ended(begun: { status: number; body: { name: string } }) {
      expect(begun).toMatchObject({ status: 200, body: { name: expect.stringMatching(/^operations\//) } });
      for (let polls = 0; polls < 20; polls += 1) {
        const { body } = await self.get(begun.body.name);
        if (body.done === true) return body;
      }
      throw new Error(`${begun.body.name} did not end after 20 polls`);
    },
    /** Creates a customer with a Cloud Identity. */
    async provisioned(domain: string): Promise<string> {
      const { body } = await self.post("accounts/C1/customers", newCustomer(domain));
      await self.ended(await self.post(`${body.name}:provisionCloudIdentity`, provisioning(domain)));
      return body.name;
    },
    async offer(customer: string, sku: string): Promise<string> {
      const { body } = await self.get(
        `${customer}:listPurchasableOffers?createEntitlementPurchase.sku=${encodeURIComponent(sku)}`,
      );
      return commitment(body.purchasableOffers);
    },
  };
  return self;
}

export function commitment(offers: { offer: { name: string; plan: { paymentPlan: string } } }[]): string {
  return offers.find(({ offer }) => offer.plan.paymentPlan === "COMMITMENT")?.offer.name ?? "none";
}

export const starter = "products/Google-Apps/skus/1010020027";

export function newCustomer(domain: string) {
  return {
    orgDisplayName: "Fresh Private Limited",
    orgPostalAddress: { regionCode: "IN", postalCode: "560001", addressLines: ["1 Main Road"] },
    primaryContactInfo: { firstName: "Asha", lastName: "Rao", email: `admin@${domain}` },
    alternateEmail: "buyer@example.com",
    domain,
    languageCode: "en",
  };
}

export function provisioning(domain: string) {
  return {
    cloudIdentityInfo: { customerType: "DOMAIN", alternateEmail: "buyer@example.com", languageCode: "en" },
    user: { email: `admin@${domain}`, givenName: "Asha", familyName: "Rao" },
  };
}

export function units(count: number) {
  return [{ name: "num_units", value: { int64Value: String(count) } }];
}

export function entitlement(offer: string, count = 5) {
  return {
    offer,
    parameters: units(count),
    commitmentSettings: {
      renewalSettings: {
        enableRenewal: false,
        paymentPlan: "COMMITMENT",
        paymentCycle: { duration: 1, periodType: "YEAR" },
      },
    },
  };
}

export async function faults(url: string, list: object[]): Promise<void> {
  expect((await post(`${url}/control/faults`, list)).status).toBe(200);
}
