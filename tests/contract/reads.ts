/** Calls of our clients that read the fixtures, by fixture. */
import type { EInvoices } from "#server/integrations/e-invoices.ts";
import type { Google } from "#server/integrations/google.ts";
import { entitlementResult } from "#server/integrations/google.ts";
import type { Gst } from "#server/integrations/gst.ts";
import type { PartnerCenter } from "#server/integrations/partner-center.ts";
import type { Razorpay } from "#server/integrations/razorpay.ts";

type Reads<Client> = Readonly<Record<string, (client: Client) => Promise<unknown>>>;

const id = "0f8fad5b-d9cb-469f-a165-70867728950e";
const customer = "accounts/C012345/customers/S0123";
const entitlement = `${customer}/entitlements/E0123`;
const sku = { product: "Google-Apps", sku: "1010020027" };
const address = {
  addressLine1: "1 Main Road",
  city: "Bengaluru",
  state: "KA",
  postalCode: "560001",
  country: "IN",
};
const newCustomer = {
  domain: "xyz.onmicrosoft.com",
  email: "a@example.com",
  culture: "en-IN",
  language: "en",
  companyName: "Example",
  address: { ...address, firstName: "A", lastName: "B", phoneNumber: "9999999999" },
};
const newGoogleCustomer = {
  domain: "example.com",
  orgDisplayName: "Example",
  address: {
    regionCode: "IN",
    postalCode: "560001",
    administrativeArea: "Karnataka",
    locality: "Bengaluru",
    addressLines: ["1 Main Road"],
  },
  contact: { firstName: "A", lastName: "B", email: "a@example.com", phone: "+919999999999" },
  alternateEmail: "a@example.org",
  languageCode: "en-US",
};
const newUser = {
  usageLocation: "IN",
  userPrincipalName: "user@contoso.onmicrosoft.com",
  firstName: "First",
  lastName: "Last",
  displayName: "First Last",
  password: "Chosen-Pass-1",
  forceChangePassword: false,
};
const line = {
  catalogItemId: "CFQ7TTC0LH0Z:0001:CFQ7TTC0K18P",
  quantity: 1,
  billingCycle: "monthly",
  termDuration: "P1M",
} as const;
const order = { amountMinor: 5000, currency: "INR", receipt: "receipt#1", notes: {} };

const newLink = {
  amountMinor: 50_000,
  currency: "INR",
  referenceId: "contract-0001",
  description: "HUB-26-000001",
  customer: { name: "Asha Rao", email: "asha@example.com", contact: "+919876543210" },
  notes: { order_id: "1" },
  expiresAt: new Date("2026-09-28T12:00:00Z"),
  callbackUrl: "https://store.example/payments/return",
};
const newAccount = {
  description: "HUB-26-000001",
  notes: { receipt: "contract-0001" },
  closesAt: new Date("2026-09-28T12:00:00Z"),
};

export const partnerCenterReads: Reads<PartnerCenter> = {
  "create-customer": (client) => client.createCustomer(newCustomer, id),
  "missing-registration-number": (client) => client.createCustomer(newCustomer, id),
  "get-customer": (client) => client.getRelationship(id),
  "unknown-customer": (client) => client.getRelationship(id),
  "list-availabilities": (client) => client.listAvailabilities("CFQ7TTC0LH18", "0001", "IN"),
  "create-cart": (client) => client.createCart(id, [line], id),
  "checkout-cart": (client) => client.checkoutCart(id, id, id),
  "get-order": (client) => client.getOrder(id, "a68736758d9c"),
  "get-subscription": (client) => client.getSubscription(id, id),
  "stale-etag": (client) =>
    client.updateSubscription(id, { id, quantity: 1, status: "active" }, { quantity: 2 }, id),
  "product-gone": (client) => client.listSkus("CFQ7TTC0NONE", "IN"),
  "list-webhook-events": (client) => client.listNoticeEvents(),
  "country-rules": (client) => client.countryRules("IN"),
  "validate-address": (client) => client.checkAddress(address),
  "list-agreements": (client) => client.currentAgreement(),
  "create-user": (client) => client.createUser(id, newUser, id),
  "list-invoices": (client) => client.listInvoices(),
  "list-invoices-without-period": (client) => client.listInvoices(),
  "export-running": (client) => client.readExport(id),
  "export-failed": (client) => client.readExport(id),
  "export-succeeded": (client) => client.readExport(id),
  "bill-files": (client) => client.readExport(id),
  "bill-files-earlier": (client) => client.readExport(id),
};

export const googleReads: Reads<Google> = {
  "domain-check": (client) => client.checkDomain("example.com"),
  "create-customer": (client) => client.createCustomer(newGoogleCustomer),
  "get-customer": (client) => client.getCustomer(customer),
  "unknown-customer": (client) => client.getCustomer(customer),
  "list-customers": (client) => client.findCustomerByDomain("example.com"),
  "started-operation": (client) =>
    client.provisionCloudIdentity(customer, {
      alternateEmail: "a@example.org",
      phoneNumber: "+919999999999",
      languageCode: "en-US",
      user: { email: "a@example.com", givenName: "A", familyName: "B" },
    }),
  "get-entitlement": (client) => client.getEntitlement(entitlement),
  "ended-operation": (client) => client.getOperation("operations/abc-123", entitlementResult),
  "list-offers": (client) => client.listOffers(sku),
  "list-purchasable-offers": (client) => client.listPurchasableOffers(customer, sku),
  "list-products": (client) => client.listProducts(),
  "list-skus": (client) => client.listSkus("products/Google-Apps"),
  "transfer-token-refused": (client) =>
    client.importCustomer({ domain: "example.com", authToken: "wrong", overwriteIfExists: false }),
  "list-reports": (client) => client.beginBillReport("2026-11"),
  "run-report": (client) => client.beginBillReport("2026-11"),
  "ended-report": (client) => client.readBillReport("operations/report-123"),
  "report-rows": (client) => client.readBillReport("operations/report-123"),
  "report-rows-timed": (client) => client.readBillReport("operations/report-123"),
};

export const razorpayReads: Reads<Razorpay> = {
  "create-order": (client) => client.createOrder(order),
  "amount-too-small": (client) => client.createOrder(order),
  "list-orders": (client) => client.findOrderByReceipt("receipt#1"),
  "get-order": (client) => client.getOrder("order_RB58MiP5SPFYyM"),
  "list-order-payments": (client) => client.listOrderPayments("order_N8FRN5zTm5S3wx"),
  "get-payment": (client) => client.getPayment("pay_N8FVRD1DzYzBh1"),
  "refund-payment": (client) => client.refundPayment("pay_29QQoUBi66xm2f", 500100, "refund-0001"),
  "refund-too-large": (client) => client.refundPayment("pay_29QQoUBi66xm2f", 500101, "refund-0002"),
  "list-refunds": (client) => client.listRefunds("pay_Contract000001"),
  "create-payment-link": (client) => client.createPaymentLink(newLink),
  "list-payment-links": (client) => client.findPaymentLink("contract-0001"),
  "get-payment-link": (client) => client.getPaymentLink("plink_Contract000001"),
  "cancel-payment-link": (client) => client.cancelPaymentLink("plink_Contract000001"),
  "create-virtual-account": (client) => client.createVirtualAccount(newAccount),
  "list-virtual-accounts": (client) => client.findVirtualAccount("receipt", "contract-0001"),
  "get-virtual-account": (client) => client.getVirtualAccount("va_Contract000001"),
  "get-bank-transfer": (client) => client.getBankTransfer("pay_Contract000002"),
  "settled-lines": (client) => client.listSettledLines("2026-09-24", 0),
};

export const gstReads: Reads<Gst> = {
  active: (client) => client.lookUp("29AAICP2912R1ZR"),
  unknown: (client) => client.lookUp("29AAICP2912R1ZR"),
};

const seller = "29AABCB1234C1ZA";
const irn = "5d1f7a0c4be98c2a6e3f90d7b81c24a5936e07f8d2bc41a09e57c63d18fa2b40";
const cancellation = { irn, code: "2", words: "Data entry mistake" };

export const gspReads: Reads<EInvoices> = {
  register: (client) => client.register(seller, {}, id),
  duplicate: (client) => client.register(seller, {}, id),
  "buyer-not-registered": (client) => client.register(seller, {}, id),
  find: (client) => client.find(seller, irn, id),
  "no-longer-shown": (client) => client.find(seller, irn, id),
  cancel: (client) => client.cancel(seller, cancellation, id),
  "cancelled-already": (client) => client.cancel(seller, cancellation, id),
};
