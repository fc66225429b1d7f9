/**
 * Carrying out a Google order over Cloud Channel: a new customer with its identity, administrator and entitlement, or a
 * customer taken over with its transfer token. Each write is one step that may be repeated at any point.
 */
import { z } from "zod";
import type { OrderId } from "#db/ids.ts";
import type { Context } from "#server/context.ts";
import type { AccountAnswers, Order } from "#server/orders/order.ts";
import { ProviderError } from "#server/providers/errors.ts";
import {
  entitlementResult,
  type GoogleOperation,
  type GoogleSku,
  isTransferTokenRefused,
  pickYearlyCommitment,
  skuName,
  transferResult,
} from "#server/providers/google.ts";
import { readCredentials } from "./credentials.ts";
import type { Destination } from "./destination.ts";
import { type Fulfilled, SignInRefused } from "./fulfilled.ts";
import { providerStep } from "./step.ts";

const tokenRefused =
  "Google did not accept the transfer token. It may be mistyped, used or older than 14 days. Please enter a new one.";

const customerStep = z.object({ name: z.string() });
const entitlementStep = z.object({ entitlement: z.string() });
const transferStep = z.object({ entitlement: z.string().nullable() });
const done = z.object({});

/**
 * @param destination the customer's own, when the order adds to one it has with us
 * @throws ProviderError, or SignInRefused when the transfer token is not good
 */
export async function fulfilGoogle(
  context: Context,
  order: Order,
  destination: Destination | null,
): Promise<Fulfilled> {
  const sku: GoogleSku = { product: context.env.GOOGLE_PRODUCT_ID, sku: order.line.sku };
  if (destination !== null) {
    const { externalId, name, domain } = destination;
    return {
      tenant: { externalId, name },
      domain,
      subscriptionId: await buy(context, order, externalId, sku),
    };
  }
  const { account, signIn } = order;
  const { google } = order.details;
  if (account === null || signIn === null || google === undefined) {
    throw new RangeError("A Google order is fulfilled after sign-in only");
  }
  const { domain } = google;
  const customer =
    signIn.mode === "google-transfer"
      ? await importCustomer(context, order.id, domain)
      : await newCustomer(context, order, account, domain);
  let entitlement: string | null = null;
  if (signIn.mode === "google-transfer") entitlement = await transfer(context, order, customer, sku);
  if (signIn.mode === "google-new")
    await administrator(context, order.id, account, `${signIn.username}@${domain}`, customer);
  return {
    tenant: { externalId: customer, name: account.companyName },
    domain,
    subscriptionId: entitlement ?? (await buy(context, order, customer, sku)),
  };
}

async function newCustomer(
  context: Context,
  order: Order,
  account: AccountAnswers,
  domain: string,
): Promise<string> {
  const { google } = context;
  const { name } = await providerStep(context, order.id, "customer", customerStep, async ({ inDoubt }) => {
    // Google has no request id here: what an unheard try made is looked for before another is made.
    const made = inDoubt ? await google.findCustomerByDomain(domain) : null;
    if (made !== null) return made;
    const created = await google.createCustomer({
      domain,
      orgDisplayName: account.companyName,
      address: {
        regionCode: account.country,
        postalCode: account.pincode,
        administrativeArea: account.state,
        locality: account.city,
        addressLines: [account.addressLine1, account.addressLine2],
      },
      contact: {
        firstName: account.firstName,
        lastName: account.lastName,
        email: `${administratorOf(order)}@${domain}`,
        phone: `${account.phoneCode}${account.phoneNumber}`,
      },
      alternateEmail: account.email,
      languageCode: account.country === "IN" ? "en-IN" : "en-US",
    });
    if (created.outcome === "exists" && !inDoubt) {
      throw new ProviderError("google", "refused", "create customer", { code: "DOMAIN_TAKEN_MEANWHILE" });
    }
    return created;
  });
  return name;
}

/** The identity with its first administrator, then the password the buyer chose: Google takes none at provisioning. */
async function administrator(
  context: Context,
  orderId: OrderId,
  account: AccountAnswers,
  email: string,
  customer: string,
): Promise<void> {
  const { google } = context;
  const names = { givenName: account.firstName, familyName: account.lastName };
  await providerStep(context, orderId, "provision", done, async ({ inDoubt }) => {
    if (inDoubt && (await google.getCustomer(customer)).cloudIdentityId !== undefined) return {};
    const operation = await google
      .provisionCloudIdentity(customer, {
        alternateEmail: account.email,
        phoneNumber: `${account.phoneCode}${account.phoneNumber}`,
        languageCode: account.country === "IN" ? "en-IN" : "en-US",
        user: { email, ...names },
      })
      .catch((error: unknown) => {
        const runsAlready = inDoubt && error instanceof ProviderError && error.code === "FAILED_PRECONDITION";
        throw runsAlready ? stillRunning("provisioning") : error;
      });
    resultOf(await google.getOperation(operation, z.unknown()), "provisioning");
    return {};
  });
  const credentials = await readCredentials(context, context.db, orderId, "sign-in");
  if (credentials === null)
    throw new RangeError("The chosen password expired before the administrator was made");
  await providerStep(context, orderId, "administrator", done, async () => {
    await google.ensureUser({ email, ...names, password: credentials.password });
    await google.makeAdmin(email);
    return {};
  });
}

async function importCustomer(context: Context, orderId: OrderId, domain: string): Promise<string> {
  const authToken = await transferToken(context, orderId);
  const { name } = await providerStep(context, orderId, "import", customerStep, () =>
    context.google.importCustomer({ domain, authToken, overwriteIfExists: true }).catch(refuseToken),
  );
  return name;
}

/** Moves everything the customer has, since Google moves all or nothing. @returns the ordered plan's entitlement, if moved */
async function transfer(
  context: Context,
  order: Order,
  customer: string,
  sku: GoogleSku,
): Promise<string | null> {
  const { google } = context;
  const authToken = await transferToken(context, order.id);
  const { entitlement } = await providerStep(
    context,
    order.id,
    "transfer",
    transferStep,
    async ({ requestId }) => {
      const { cloudIdentityId } = await google.getCustomer(customer);
      if (cloudIdentityId === undefined)
        throw new ProviderError("google", "refused", "transfer", { code: "NO_IDENTITY" });
      const skus = await google.listTransferableSkus({ cloudIdentityId, authToken }).catch(refuseToken);
      if (skus.length === 0) return { entitlement: null };
      const entitlements = await Promise.all(
        skus.map(async (one) => {
          const offers = await google.listTransferableOffers({ cloudIdentityId, sku: one.sku });
          const offer = pickYearlyCommitment(offers, one.sku);
          if (offer === undefined)
            throw new ProviderError("google", "refused", "transfer", { code: "NO_OFFER" });
          const ordered = one.sku === skuName(sku);
          const numUnits = ordered ? order.line.quantity : (offer.minUnits ?? 1);
          return { offer: offer.name, numUnits, purchaseOrderId: order.id };
        }),
      );
      const operation = await google.transferEntitlements(customer, { entitlements, authToken }, requestId);
      const moved = resultOf(await google.getOperation(operation, transferResult, [authToken]), "transfer");
      return { entitlement: moved.find((one) => one.sku?.sku === sku.sku)?.name ?? null };
    },
  );
  return entitlement;
}

async function buy(context: Context, order: Order, customer: string, sku: GoogleSku): Promise<string> {
  const { google } = context;
  const { entitlement } = await providerStep(
    context,
    order.id,
    "entitlement",
    entitlementStep,
    async ({ requestId }) => {
      const offer = await google.findOffer(customer, sku);
      const operation = await google.createEntitlement(
        customer,
        { offer: offer.name, numUnits: order.line.quantity, purchaseOrderId: order.id },
        requestId,
      );
      const { name } = resultOf(await google.getOperation(operation, entitlementResult), "entitlement");
      return { entitlement: name };
    },
  );
  return entitlement;
}

/** The result of an operation; a pending one is asked for again by the next try, whose same request id finds it. */
function resultOf<T>(operation: GoogleOperation<T>, what: string): T {
  if (operation.state === "done") return operation.response;
  throw operation.state === "failed" ? operation.error : stillRunning(what);
}

/** No status: an answer that is still to come keeps the step's request id. */
function stillRunning(what: string): ProviderError {
  return new ProviderError("google", "transient", what, { code: "still_running" });
}

function refuseToken(error: unknown): never {
  throw isTransferTokenRefused(error) ? new SignInRefused(tokenRefused) : error;
}

async function transferToken(context: Context, orderId: OrderId): Promise<string> {
  const kept = await readCredentials(context, context.db, orderId, "transfer-token");
  if (kept === null) throw new SignInRefused(tokenRefused);
  return kept.password;
}

function administratorOf(order: Order): string {
  return order.signIn?.mode === "google-new" ? order.signIn.username : "admin";
}
