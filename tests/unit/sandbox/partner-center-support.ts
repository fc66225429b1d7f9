/** Shared by the tests of the sandbox's Partner Center: calls with a token, and a customer with a subscription. */
import { expect } from "vitest";
import { contract, post } from "./support.ts";

/** @param sandbox called for each request, because the URL and token change during a test file */
export function partnerCenterAt(sandbox: () => { url: string; authorization: string }) {
  const v1 = (path: string) => `${sandbox().url}/partner-center/v1${path}`;
  const headers = () => ({ ...contract, authorization: sandbox().authorization });
  const get = (path: string) => fetch(v1(path), { headers: headers() });
  const write = (path: string, body: unknown, requestId: string = crypto.randomUUID()) =>
    post(v1(path), body, { ...headers(), "ms-requestid": requestId });
  const patch = (path: string, body: unknown) =>
    fetch(v1(path), {
      method: "PATCH",
      headers: {
        ...headers(),
        "content-type": "application/json",
        "ms-requestid": crypto.randomUUID(),
      },
      body: JSON.stringify(body),
    });

  async function customerWithAgreement(domain?: string): Promise<string> {
    const { id } = await (await write("/customers", newCustomer(domain))).json();
    const { items } = await (await get("/agreements?agreementType=MicrosoftCustomerAgreement")).json();
    const agreement = {
      primaryContact: { firstName: "Asha", lastName: "Rao", email: "buyer@example.com" },
      templateId: items[0].templateId,
      dateAgreed: new Date().toISOString(),
      type: "MicrosoftCustomerAgreement",
    };
    expect((await write(`/customers/${id}/agreements`, agreement)).status).toBe(201);
    const again = await write(`/customers/${id}/agreements`, agreement);
    expect(await again.json()).toMatchObject({ code: "600061" });
    return id;
  }

  async function catalogItem(product = "CFQ7TTC0LDPB", sku = "0001"): Promise<string> {
    const { items } = await (await get(`/products/${product}/skus/${sku}/availabilities?country=IN`)).json();
    expect(items[0].catalogItemId).toBe(`${product}:${sku}:${items[0].id}`);
    return items[0].catalogItemId;
  }

  async function bought(customerId: string): Promise<string> {
    const cart = await (await write(`/customers/${customerId}/carts`, cartOf(await catalogItem()))).json();
    const response = await fetch(v1(`/customers/${customerId}/carts/${cart.id}/checkout`), {
      method: "POST",
      headers: { ...headers(), "ms-requestid": crypto.randomUUID() },
    });
    expect(response.status).toBe(201);
    const { orders } = await response.json();
    return orders[0].lineItems[0].subscriptionId;
  }

  return { v1, get, write, patch, customerWithAgreement, catalogItem, bought };
}

export function newCustomer(domain = "fresh.onmicrosoft.com") {
  return {
    companyProfile: { domain, organizationRegistrationNumber: "AABCB1234C" },
    billingProfile: {
      email: "buyer@example.com",
      culture: "en-IN",
      language: "en",
      companyName: "Fresh Private Limited",
      defaultAddress: {
        firstName: "Asha",
        lastName: "Rao",
        addressLine1: "1 Main Road",
        city: "Bengaluru",
        state: "KA",
        postalCode: "560001",
        country: "IN",
        phoneNumber: "+919999999999",
      },
    },
  };
}

export function cartOf(catalogItemId: string, quantity = 5, more: object = {}) {
  return {
    PartnerOnRecordAttestationAccepted: true,
    lineItems: [
      {
        id: 0,
        catalogItemId,
        quantity,
        billingCycle: "annual",
        termDuration: "P1Y",
        attestationAccepted: true,
        ...more,
      },
    ],
  };
}
