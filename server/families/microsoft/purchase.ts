/** Carries out a Microsoft order at Partner Center: tenant, agreement, the buyer's own user, cart, checkout, subscription. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { AccountAnswers, Order } from "#db/order.ts";
import { isStepYoungerThan } from "#db/stored-steps.ts";
import type { Context } from "#server/context.ts";
import { countries, subdivisionCode } from "#server/countries/country.ts";
import { microsoftSuffix } from "#server/families/microsoft/domain.ts";
import { asKind, ProviderError, unexpectedAnswer } from "#server/providers/errors.ts";
import { readCredentials, storeCredentials } from "../../credentials/credentials.ts";
import { generatePassword } from "../../credentials/password.ts";
import { providerStep } from "../../stored-steps/step.ts";
import type { Destination, Held } from "../family.ts";
import { mayBeAnothers } from "../found-tenant.ts";
import { type Fulfilled, SignInRefused } from "../fulfilled.ts";
import { requireTenant } from "../held-tenant.ts";

/**
 * Runs every step that is not done yet. Idempotent: safe to call again after any failure.
 * @throws ProviderError, or SignInRefused when the chosen domain was taken meanwhile
 */
export async function purchase(
  context: Context,
  order: Order,
  destination: Destination | null,
): Promise<Fulfilled> {
  const { account } = order;
  if (account === null) throw new RangeError("A Microsoft order is fulfilled after its account is known");
  const {
    externalId: tenantId,
    domain,
    name,
    baseSubscription,
  } = destination ?? (await makeTenant(context, order, account));

  return unlessTooNew<Fulfilled>(context, order, async () => {
    await acceptAgreement(context, order, account, tenantId);
    if (destination === null)
      await createUser(context, order, account, tenantId, `${wantedTenant(order).username}@${domain}`);
    return {
      tenant: { externalId: tenantId, name, provenBy: destination === null ? "made" : null },
      domain,
      subscriptionId: await buy(context, order, tenantId, baseSubscription),
    };
  });
}

/**
 * A new tenant takes a while to reach every part of Microsoft. For this many minutes, "not found" and "forbidden" are
 * transient.
 */
const newForMinutes = 30;

/** @throws ProviderError; a 403 or 404 becomes transient while the tenant that the order has made is new */
async function unlessTooNew<Result>(
  { db }: Context,
  order: Order,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    const isOfNew =
      error instanceof ProviderError &&
      error.kind === "refused" &&
      (error.status === 403 || error.status === 404) &&
      (await isStepYoungerThan(db, order.id, "customer", newForMinutes));
    throw isOfNew ? asKind(error, "transient", "a call about a tenant just made") : error;
  }
}

/**
 * Microsoft sells only to tenants that have accepted its customer agreement. The buyer accepted it with our terms.
 * @throws ProviderError
 */
async function acceptAgreement(
  context: Context,
  order: Order,
  account: AccountAnswers,
  tenantId: string,
): Promise<void> {
  const { firstName, lastName, email, phoneNumber } = account;
  await providerStep(context, order.id, "agreement", done, async ({ requestId }) => {
    await context.partnerCenter.ensureAgreement(
      tenantId,
      { firstName, lastName, email, phoneNumber },
      order.termsAcceptedAt ?? new Date(),
      requestId,
    );
    return {};
  });
}

async function makeTenant(context: Context, order: Order, account: AccountAnswers): Promise<Destination> {
  const domain = `${wantedTenant(order).prefix}${microsoftSuffix}`;
  const { tenantId } = await createTenant(context, order, account, domain);
  return { externalId: tenantId, domain, name: account.companyName, baseSubscription: null };
}

function wantedTenant({ signIn }: Order): { username: string; prefix: string } {
  if (signIn?.mode !== "new") throw new RangeError("A Microsoft order is fulfilled after sign-in only");
  return signIn;
}

const done = z.object({});
const tenantResult = z.object({ tenantId: z.string() });

async function createTenant(
  context: Context,
  order: Order,
  account: AccountAnswers,
  domain: string,
): Promise<{ tenantId: string }> {
  const { partnerCenter } = context;
  return providerStep(
    context,
    order.id,
    "customer",
    tenantResult,
    async ({ requestId, inDoubt }) => {
      try {
        return await partnerCenter.createCustomer(newCustomer(account, domain), requestId);
      } catch (error) {
        if (!(error instanceof ProviderError) || error.kind !== "refused") throw error;
        if (await partnerCenter.isDomainAvailable(domain)) throw error;
        // The domain is taken. After an earlier try that may have taken effect, the tenant may be ours. On a clear first
        // refusal it is another customer's.
        const mayBeOurs = inDoubt || error.code === unexpectedAnswer;
        const ours = mayBeOurs ? await partnerCenter.findCustomerByDomain(domain) : null;
        if (ours === null || (await mayBeAnothers(context, order, { externalId: ours.tenantId, domain }))) {
          throw new SignInRefused(`${domain} is not available.`);
        }
        return { tenantId: ours.tenantId, domain, adminUserName: "", adminPassword: "" };
      }
    },
    async (trx, created) => {
      if (created.adminPassword === "") return;
      await storeCredentials(context, trx, order.id, "tenant-admin", {
        username: `${created.adminUserName}@${domain}`,
        password: created.adminPassword,
      });
    },
  );
}

/**
 * Creates a user with the username the buyer chose, because Microsoft names the tenant's first administrator itself
 * (docs/providers.md, section 1.3).
 */
async function createUser(
  context: Context,
  order: Order,
  account: AccountAnswers,
  tenantId: string,
  userPrincipalName: string,
): Promise<void> {
  const { db, partnerCenter } = context;
  const admin = await readCredentials(context, db, order.id, "tenant-admin");
  if (admin !== null && admin.username.toLowerCase() === userPrincipalName.toLowerCase()) {
    await storeCredentials(context, db, order.id, "sign-in", admin);
    return;
  }
  // Stored before it is sent, so that after a crash the stored password is still the one the provider has.
  await storeCredentials(context, db, order.id, "sign-in", {
    username: userPrincipalName,
    password: generatePassword(),
  });
  const credentials = await readCredentials(context, db, order.id, "sign-in");
  if (credentials === null) throw new RangeError("The sign-in credentials expired before the user was made");

  const displayName = `${account.firstName} ${account.lastName}`;
  const { userId } = await providerStep(
    context,
    order.id,
    "user",
    z.object({ userId: z.string() }),
    async ({ requestId }) => {
      const created = await partnerCenter.createUser(
        tenantId,
        {
          usageLocation: order.country,
          userPrincipalName,
          firstName: account.firstName,
          lastName: account.lastName,
          displayName,
          password: credentials.password,
          forceChangePassword: true,
        },
        requestId,
      );
      if (created.outcome === "created") return { userId: created.userId };
      const existing = await partnerCenter.findUser(tenantId, userPrincipalName);
      if (existing === null)
        throw new ProviderError("microsoft", "refused", "POST users", { code: "user_exists" });
      // Either an unanswered try created this user, or Microsoft picked the same name. In both cases the buyer's password
      // must work.
      await partnerCenter.setUserPassword(tenantId, existing.userId, credentials.password, randomUUID());
      return existing;
    },
  );
  await providerStep(context, order.id, "admin-role", done, async ({ requestId }) => {
    await partnerCenter.assignAdminRole(tenantId, { userId, displayName, userPrincipalName }, requestId);
    return {};
  });
}

const checkoutResult = z.object({ orderId: z.string(), subscriptionId: z.string().nullable() });

/**
 * Buys a lapsed subscription's plan again, in the same tenant.
 * @returns Microsoft's id of the new subscription
 * @throws ProviderError
 */
export async function buyAgain(context: Context, order: Order, held: Held): Promise<string> {
  if (order.account === null) throw new RangeError("A renewal is sold to somebody");
  const { externalId, baseSubscription } = requireTenant(held);
  // The tenant of a synced subscription may have accepted the agreement through another reseller, long ago.
  await acceptAgreement(context, order, order.account, externalId);
  return buy(context, order, externalId, baseSubscription);
}

async function buy(
  context: Context,
  order: Order,
  tenantId: string,
  baseSubscription: string | null,
): Promise<string> {
  const { partnerCenter } = context;
  const { line } = order;
  const [productId = "", skuId = ""] = line.sku.split(":");
  const { cartId } = await providerStep(
    context,
    order.id,
    "cart",
    z.object({ cartId: z.string() }),
    async ({ requestId, look }) => {
      const { catalogItemId } = await look(() =>
        partnerCenter.findAvailability(productId, skuId, order.country, line.term),
      );
      return partnerCenter.createCart(
        tenantId,
        [
          {
            catalogItemId,
            quantity: line.quantity,
            billingCycle: line.billingCycle,
            termDuration: line.term,
            ...(baseSubscription !== null && { parentSubscriptionId: baseSubscription }),
          },
        ],
        requestId,
      );
    },
  );
  const checkout = await providerStep(
    context,
    order.id,
    "checkout",
    checkoutResult,
    async ({ requestId }) => {
      const { orders } = await partnerCenter.checkoutCart(tenantId, cartId, requestId);
      const [placed] = orders;
      if (placed === undefined) throw new RangeError("A checkout without orders");
      return { orderId: placed.id, subscriptionId: placed.lineItems[0]?.subscriptionId ?? null };
    },
  );
  if (checkout.subscriptionId !== null) return checkout.subscriptionId;
  const placed = await partnerCenter.getOrder(tenantId, checkout.orderId);
  const subscriptionId = placed.lineItems[0]?.subscriptionId ?? null;
  if (subscriptionId === null) {
    throw new ProviderError("microsoft", "transient", "GET order", { code: "no_subscription_yet" });
  }
  return subscriptionId;
}

function newCustomer(account: AccountAnswers, domain: string) {
  return {
    domain,
    organizationRegistrationNumber: account.organisationRegistrationNumber,
    email: account.email,
    culture: countries[account.country].locale,
    language: "en",
    companyName: account.companyName,
    address: {
      firstName: account.firstName,
      lastName: account.lastName,
      addressLine1: account.addressLine1,
      addressLine2: account.addressLine2,
      city: account.city,
      state: subdivisionCode(account.country, account.state) ?? account.state,
      postalCode: account.pincode,
      country: account.country,
      phoneNumber: account.phoneNumber,
    },
  };
}
