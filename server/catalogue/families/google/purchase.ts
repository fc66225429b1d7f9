/**
 * Fulfils a Google order through Cloud Channel: a new customer with its identity, administrator and entitlement, or a customer
 * taken over with its transfer token. Each write is one idempotent step. A write's request is stored before the call, so that a
 * retry sends exactly the same even if the available offers have changed since.
 */

import { z } from "zod";
import type { OrderId } from "#db/ids.ts";
import type { AccountAnswers, Order } from "#db/orders/order.ts";
import { readCredentials } from "#server/accounts/credentials/credentials.ts";
import { countries } from "#server/foundation/countries/registry.ts";
import { vendorLastName, withoutPlaceholder } from "#server/foundation/placeholders.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import {
  entitlementResult,
  type GoogleSku,
  isTransferTokenRefused,
  transferResult,
} from "#server/integrations/google.ts";
import type { Context } from "#server/platform/context.ts";
import { providerStep, stillRunning } from "#server/platform/stored-steps/step.ts";
import { type Fulfilled, SignInRefusedError } from "../fulfilled.ts";
import type { Destination } from "../subscription-at-vendor.ts";
import { mayBelongToAnotherOrder } from "../tenant-in-doubt.ts";
import { skuOf } from "./catalogue.ts";
import { googleOperation, resultOf } from "./operation.ts";
import { planTransfer, TransferRefusedError, tokenRefused } from "./transfer.ts";

const customerStep = z.object({ name: z.string() });
const offerStep = z.object({ offer: z.string() });
const entitlementStep = z.object({ entitlement: z.string() });
const planStep = z.object({
  cloudIdentityId: z.string(),
  /** Empty when the account has no subscription to move; the plan is then bought. */
  moving: z.array(z.object({ offer: z.string(), numUnits: z.number() })),
});
const transferStep = z.object({ entitlement: z.string().nullable() });
/** Null when an earlier, unanswered try turns out to have provisioned the identity. */
const provisionStep = z.object({ operation: z.string().nullable() });
const done = z.object({});

/**
 * @param destination the customer's tenant, when the order adds to one it has with us
 * @throws ProviderError, or SignInRefusedError when the transfer token is invalid
 */
export async function purchase(
  context: Context,
  order: Order,
  destination: Destination | null,
): Promise<Fulfilled> {
  const sku = await skuOf(context, order);
  if (destination !== null) {
    const { externalId, name, domain } = destination;
    return {
      tenant: { externalId, name, provenBy: null },
      domain,
      subscriptionId: await buyPlan(context, order, externalId, sku),
    };
  }
  const { account, signIn } = order;
  const { google } = order.details;
  if (account === null || signIn === null || google === undefined) {
    throw new RangeError("A Google order is fulfilled after sign-in only");
  }
  const { domain } = google;
  const { companyName: name } = account;
  if (signIn.mode === "google-transfer") {
    // The customer is not imported before it is certain that the paid plan can be moved.
    const plan = await transferPlan(context, order, domain);
    const externalId = await importCustomer(context, order.id, domain);
    const moved = await transfer(context, order, externalId, sku, plan);
    return {
      tenant: { externalId, name, provenBy: "transfer-token" },
      domain,
      subscriptionId: moved ?? (await buyPlan(context, order, externalId, sku)),
    };
  }
  const externalId = await newCustomer(context, order, account, domain);
  if (signIn.mode === "google-new")
    await administrator(context, order.id, account, `${signIn.username}@${domain}`, externalId);
  return {
    tenant: { externalId, name, provenBy: "made" },
    domain,
    subscriptionId: await buyPlan(context, order, externalId, sku),
  };
}

async function newCustomer(
  context: Context,
  order: Order,
  account: AccountAnswers,
  domain: string,
): Promise<string> {
  const { google } = context;
  const create = () =>
    google.createCustomer({
      domain,
      orgDisplayName: account.companyName,
      address: {
        regionCode: account.country,
        postalCode: account.pincode,
        administrativeArea: account.state,
        locality: account.city,
        addressLines: [account.addressLine1, account.addressLine2].filter(
          (line) => withoutPlaceholder(line) !== "",
        ),
      },
      contact: {
        firstName: account.firstName,
        lastName: vendorLastName(account),
        email: `${administratorOf(order)}@${domain}`,
        phone: `${account.phoneCode}${account.phoneNumber}`,
      },
      alternateEmail: account.email,
      languageCode: countries[account.country].locale,
    });
  const { name } = await providerStep(context, order.id, "customer", customerStep, async ({ inDoubt }) => {
    // This call takes no request id, so after an unanswered try we look for its customer before we create another.
    const found = inDoubt ? await google.findCustomerByDomain(domain) : null;
    const made = found === null ? await create() : { outcome: "exists" as const, ...found };
    const isOurs =
      made.outcome === "created" ||
      (inDoubt && !(await mayBelongToAnotherOrder(context, order, { externalId: made.name, domain })));
    if (!isOurs)
      throw new ProviderError("google", "refused", "create customer", { code: "DOMAIN_TAKEN_MEANWHILE" });
    return made;
  });
  return name;
}

/** Provisions the identity with its first administrator, then sets the buyer's password, which provisioning does not accept. */
async function administrator(
  context: Context,
  orderId: OrderId,
  account: AccountAnswers,
  email: string,
  customer: string,
): Promise<void> {
  const { google } = context;
  const names = { givenName: account.firstName, familyName: vendorLastName(account) };
  await providerStep(context, orderId, "provision", done, async () => {
    const step = "provision-operation";
    const { operation } = await providerStep(context, orderId, step, provisionStep, async ({ inDoubt }) => {
      if (inDoubt && (await google.getCustomer(customer)).cloudIdentityId !== undefined)
        return { operation: null };
      const request = {
        alternateEmail: account.email,
        phoneNumber: `${account.phoneCode}${account.phoneNumber}`,
        languageCode: countries[account.country].locale,
        user: { email, ...names },
      };
      const begun = await google.provisionCloudIdentity(customer, request).catch((error: unknown) => {
        // This call takes no request id either: an earlier, unanswered try is still running, and a later retry will find the
        // identity.
        throw inDoubt && isBegunAlready(error) ? stillRunning("google", "provisioning") : error;
      });
      return { operation: begun };
    });
    if (operation !== null) await resultOf(context, orderId, step, operation, z.unknown());
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

/** Stores the plan, because transferred SKUs are no longer listed: after an unanswered transfer, a new plan would be empty. */
async function transferPlan(
  context: Context,
  { id, itemId, country, line }: Order,
  domain: string,
): Promise<z.infer<typeof planStep>> {
  const { name, quantity } = line;
  return providerStep(context, id, "transfer-plan", planStep, async () => {
    const authToken = await transferToken(context, id);
    const input = { domain, authToken, plan: { itemId, country, name }, quantity };
    const { cloudIdentityId, moving } = await planTransfer(context, input).catch(refuseTransfer);
    return {
      cloudIdentityId,
      moving: moving === null ? [] : [{ offer: moving.offer, numUnits: quantity }],
    };
  });
}

/** @returns the ordered plan's entitlement; null when the account had none to move */
async function transfer(
  context: Context,
  order: Order,
  customer: string,
  sku: GoogleSku,
  { cloudIdentityId, moving }: z.infer<typeof planStep>,
): Promise<string | null> {
  if (moving.length === 0) return null;
  const { google } = context;
  const { entitlement } = await providerStep(context, order.id, "transfer", transferStep, async () => {
    const authToken = await transferToken(context, order.id);
    const entitlements = moving.map((one) => ({ ...one, purchaseOrderId: purchaseOrderIdOf(order) }));
    const move = () =>
      googleOperation(
        context,
        order.id,
        "transfer-operation",
        transferResult,
        ({ requestId }) => google.transferEntitlements(customer, { entitlements, authToken }, requestId),
        [authToken],
      );
    const moved = await move().catch(async (error: unknown) => {
      // Google returns the same error for wrong offers and seats. A call that needs only the token shows whether the token has
      // expired.
      if (isTransferTokenRefused(error))
        await google.listTransferableSkus({ cloudIdentityId, authToken }).catch(refuseToken);
      throw error;
    });
    return { entitlement: moved.find((one) => one.sku?.sku === sku.sku)?.name ?? null };
  });
  return entitlement;
}

/** Buys the ordered plan for a customer. @returns the entitlement's name @throws ProviderError */
export async function buyPlan(
  context: Context,
  order: Order,
  customer: string,
  orderedSku?: GoogleSku,
): Promise<string> {
  const { google } = context;
  const sku = orderedSku ?? (await skuOf(context, order));
  const { entitlement } = await providerStep(
    context,
    order.id,
    "entitlement",
    entitlementStep,
    async ({ look }) => {
      const { offer } = await look(() =>
        providerStep(context, order.id, "offer", offerStep, async (attempt) => ({
          offer: (await attempt.look(() => google.findOffer(customer, sku, order.country))).name,
        })),
      );
      const wanted = { offer, numUnits: order.line.quantity, purchaseOrderId: purchaseOrderIdOf(order) };
      const { name } = await googleOperation(
        context,
        order.id,
        "entitlement-operation",
        entitlementResult,
        ({ requestId }) => google.createEntitlement(customer, wanted, requestId),
      );
      return { entitlement: name };
    },
  );
  return entitlement;
}

/**
 * Returns the plan's reference on Google's bills: our order, and the buyer's purchase order if there is one. Google accepts 80
 * characters.
 */
export function purchaseOrderIdOf({ id, references }: Pick<Order, "id" | "references">): string {
  return references.purchaseOrder === null ? id : `${id} ${references.purchaseOrder}`;
}

function isBegunAlready(error: unknown): boolean {
  return (
    error instanceof ProviderError &&
    (error.code === "FAILED_PRECONDITION" || error.code === "ALREADY_EXISTS")
  );
}

function refuseTransfer(error: unknown): never {
  throw error instanceof TransferRefusedError ? new SignInRefusedError(error.descriptor) : error;
}

function refuseToken(error: unknown): never {
  throw isTransferTokenRefused(error) ? new SignInRefusedError(tokenRefused) : error;
}

async function transferToken(context: Context, orderId: OrderId): Promise<string> {
  const kept = await readCredentials(context, context.db, orderId, "transfer-token");
  if (kept === null) throw new SignInRefusedError(tokenRefused);
  return kept.password;
}

function administratorOf(order: Order): string {
  return order.signIn?.mode === "google-new" ? order.signIn.username : "admin";
}
