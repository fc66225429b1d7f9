/** Carries out a Microsoft order at Partner Center: tenant, agreement, cart, checkout, then the buyer's own user. */

import { randomUUID } from "node:crypto";
import { z } from "zod";
import { findAcceptance } from "#db/accounts/agreements.ts";
import { deleteCredentials } from "#db/accounts/credentials.ts";
import { vendorKey } from "#db/catalogue/vendor-catalogue.ts";
import type { AccountAnswers, Order } from "#db/orders/order.ts";
import {
  didStepFinishWithin,
  didStepStartWithin,
  findStep,
  listVendorOrdersUsed,
} from "#db/platform/stored-steps.ts";
import { readCredentials, storeCredentials } from "#server/accounts/credentials/credentials.ts";
import { generatePassword } from "#server/accounts/credentials/password.ts";
import { countries, subdivisionCode } from "#server/foundation/countries/registry.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { queueOperatorAlert } from "#server/foundation/outbox/mail.ts";
import { fullName, vendorLastName, withoutPlaceholder } from "#server/foundation/placeholders.ts";
import { ProviderError, unexpectedAnswer } from "#server/integrations/errors.ts";
import type { PartnerOrder } from "#server/integrations/partner-center/ordering.ts";
import type { PartnerCenter } from "#server/integrations/partner-center.ts";
import type { Context } from "#server/platform/context.ts";
import { forgetStep, providerStep } from "#server/platform/stored-steps/step.ts";
import { type Fulfilled, SignInRefusedError } from "../fulfilled.ts";
import { requireTenant } from "../require-tenant.ts";
import type { Destination, SubscriptionAtVendor } from "../subscription-at-vendor.ts";
import { mayBelongToAnotherOrder } from "../tenant-in-doubt.ts";
import { microsoftIdsOf } from "./catalogue.ts";
import { microsoftSuffix } from "./domain.ts";
import { endExtension } from "./extension.ts";
import { partnerFor } from "./partner.ts";
import { classify, tenantNotListed } from "./refusals.ts";

/**
 * Runs every step that is not done yet. Idempotent: safe to call again after any failure.
 * @throws ProviderError, or SignInRefusedError when the chosen domain was taken meanwhile
 */
export async function purchase(
  context: Context,
  order: Order,
  destination: Destination | null,
): Promise<Fulfilled> {
  const { account } = order;
  if (account === null) throw new RangeError("A Microsoft order is fulfilled after its account is known");
  const partnerCenter = partnerFor(context, order, destination);
  const {
    externalId: tenantId,
    domain,
    name,
  } = destination ?? (await makeTenant(context, partnerCenter, order, account));

  await acceptAgreement(context, partnerCenter, order, account, tenantId);
  const subscriptionId = await buy(context, partnerCenter, order, tenantId);
  if (destination === null) {
    const userPrincipalName = `${wantedTenant(order).username}@${domain}`;
    await createUserIfPossible(context, partnerCenter, order, account, tenantId, userPrincipalName);
  }
  return {
    tenant: { externalId: tenantId, name, provenBy: destination === null ? "made" : null },
    domain,
    subscriptionId,
  };
}

/**
 * Microsoft sells only to tenants whose customer has accepted its agreement. The buyer did so when placing the order, in the version
 * that is told; an order placed by an earlier version of the store has accepted the one in force (docs/decisions/customer-agreement.md).
 * @throws ProviderError
 */
async function acceptAgreement(
  context: Context,
  partnerCenter: PartnerCenter,
  order: Order,
  account: AccountAnswers,
  tenantId: string,
): Promise<void> {
  const { firstName, email, phoneNumber } = account;
  const accepted = await findAcceptance(context.db, order.id);
  const person = accepted?.person ?? { firstName, lastName: account.lastName, email, phoneNumber };
  await providerStep(context, order.id, "agreement", done, async ({ requestId }) => {
    await partnerCenter.ensureAgreement(
      tenantId,
      {
        contact: { ...person, lastName: vendorLastName(person) },
        templateId: accepted?.version ?? null,
        dateAgreed: accepted?.acceptedAt ?? order.termsAcceptedAt ?? new Date(),
      },
      requestId,
    );
    return {};
  });
}

async function makeTenant(
  context: Context,
  partnerCenter: PartnerCenter,
  order: Order,
  account: AccountAnswers,
): Promise<Destination> {
  const domain = `${wantedTenant(order).prefix}${microsoftSuffix}`;
  const { tenantId } = await createTenant(context, partnerCenter, order, account, domain);
  return {
    externalId: tenantId,
    domain,
    name: account.companyName,
    country: order.country,
  };
}

function wantedTenant({ signIn }: Order): { username: string; prefix: string } {
  if (signIn?.mode !== "new") throw new RangeError("A Microsoft order is fulfilled after sign-in only");
  return signIn;
}

/**
 * How long a tenant that an unanswered call may have made is looked for before the buyer is asked for another name, which would
 * leave it without an owner. A new tenant shows within minutes (docs/providers.md, section 1.7).
 */
const listedWithinMinutes = 15;

const done = z.object({});
const tenantResult = z.object({ tenantId: z.string() });

async function createTenant(
  context: Context,
  partnerCenter: PartnerCenter,
  order: Order,
  account: AccountAnswers,
  domain: string,
): Promise<{ tenantId: string }> {
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
        if (
          mayBeOurs &&
          ours === null &&
          (await didStepStartWithin(context.db, order.id, "customer", listedWithinMinutes))
        )
          throw new ProviderError("microsoft", "transient", "GET customers", { code: tenantNotListed });
        if (
          ours === null ||
          (await mayBelongToAnotherOrder(context, order, { externalId: ours.tenantId, domain }))
        ) {
          throw new SignInRefusedError(msg("families.nameTaken", { domain }));
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

/** How long a purchase waits for its user, which may be refused at first because the tenant is new. */
const userWithinMinutes = 10;

/** Of this call it speaks of one tenant; of every other call, of the whole account. */
const noRoleInTenant = "900308";

/**
 * What was paid for has been bought by now, so a user that Microsoft does not create does not stop the order: the buyer
 * gets the administrator that Microsoft created with the tenant.
 * @throws ProviderError while the user may still be created, and when there is no other administrator
 */
async function createUserIfPossible(
  context: Context,
  partnerCenter: PartnerCenter,
  order: Order,
  account: AccountAnswers,
  tenantId: string,
  userPrincipalName: string,
): Promise<void> {
  const { db, log } = context;
  const admin = await readCredentials(context, db, order.id, "tenant-admin");
  const shown = await readCredentials(context, db, order.id, "sign-in");
  if (admin !== null && admin.username === shown?.username) return;
  try {
    await createUser(context, partnerCenter, order, account, tenantId, userPrincipalName);
  } catch (error) {
    if (!(error instanceof ProviderError) || admin === null) throw error;
    const { action: refusal } = await classify(context, order, error);
    if (refusal === "pause-vendor" && error.code !== noRoleInTenant) throw error;
    const mayPass = refusal === "retry";
    if (mayPass && (await didStepFinishWithin(db, order.id, "checkout", userWithinMinutes))) throw error;
    log.warn({ err: error, orderId: order.id }, "the buyer's user could not be created");
    await db.transaction().execute(async (trx) => {
      await deleteCredentials(trx, order.id, ["sign-in"]);
      await storeCredentials(context, trx, order.id, "sign-in", admin);
      await queueOperatorAlert(trx, {
        dedupeKey: `no-user:${order.id}`,
        orderId: order.id,
        what: `The order is complete, but Microsoft did not create ${userPrincipalName}: ${error.message}. The buyer signs in as ${admin.username}.`,
        toDo: ["Check our GDAP roles for this tenant. They control whether we can create users."],
      });
    });
  }
}

/**
 * Creates a user with the username the buyer chose, because Microsoft names the tenant's first administrator itself
 * (docs/providers.md, section 1.3).
 */
async function createUser(
  context: Context,
  partnerCenter: PartnerCenter,
  order: Order,
  account: AccountAnswers,
  tenantId: string,
  userPrincipalName: string,
): Promise<void> {
  const { db } = context;
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

  const displayName = fullName(account);
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
          lastName: vendorLastName(account),
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

const purchaseResult = z.object({ orderId: z.string(), subscriptionId: z.string().nullable() });
/** Without an order when an earlier checkout of the cart has bought, and its answer was lost. */
const checkoutResult = purchaseResult.extend({ orderId: z.string().nullable() });

/**
 * Buys a lapsed subscription's plan again, in the same tenant. If Microsoft has extended the old one, that ends afterwards, so
 * that no user is without a licence in between.
 * @returns Microsoft's id of the new subscription
 * @throws ProviderError
 */
export async function buyAgain(context: Context, order: Order, held: SubscriptionAtVendor): Promise<string> {
  if (order.account === null) throw new RangeError("A renewal is sold to somebody");
  const destination = requireTenant(held);
  const { externalId } = destination;
  const partnerCenter = partnerFor(context, order, destination);
  // The tenant of a synced subscription may have accepted the agreement through another reseller, long ago.
  await acceptAgreement(context, partnerCenter, order, order.account, externalId);
  const subscriptionId = await buy(context, partnerCenter, order, externalId);
  await endExtension(context, order, held);
  return subscriptionId;
}

async function buy(
  context: Context,
  partnerCenter: PartnerCenter,
  order: Order,
  tenantId: string,
): Promise<string> {
  const cart = await openCart(context, partnerCenter, order, tenantId);
  const checkout = await providerStep(
    context,
    order.id,
    "checkout",
    checkoutResult,
    async ({ requestId }) => {
      const reply = await partnerCenter.checkoutCart(tenantId, cart.cartId, requestId);
      return reply.outcome === "submitted" ? { orderId: null, subscriptionId: null } : purchased(reply.order);
    },
  );
  const { orderId, subscriptionId } =
    checkout.orderId === null
      ? await providerStep(context, order.id, "placed-order", purchaseResult, async () =>
          purchased(await findPlaced(context, partnerCenter, order, tenantId, cart)),
        )
      : { ...checkout, orderId: checkout.orderId };
  if (subscriptionId !== null) return subscriptionId;
  const provisioned = purchased(await partnerCenter.getOrder(tenantId, orderId));
  if (provisioned.subscriptionId === null) {
    throw new ProviderError("microsoft", "transient", "GET order", { code: "no_subscription_yet" });
  }
  return provisioned.subscriptionId;
}

function purchased({ id, lineItems }: PartnerOrder): z.infer<typeof purchaseResult> {
  return { orderId: id, subscriptionId: lineItems[0]?.subscriptionId ?? null };
}

/** Carts stored by earlier versions have no times. */
const cartResult = z.object({
  cartId: z.string(),
  createdAt: z.iso.datetime().nullable().default(null),
  expiresAt: z.iso.datetime().nullable().default(null),
});
type StoredCart = z.infer<typeof cartResult>;

/** The order's cart; another one when the first has expired and was certainly not checked out. */
async function openCart(
  context: Context,
  partnerCenter: PartnerCenter,
  order: Order,
  tenantId: string,
): Promise<StoredCart> {
  const { db } = context;
  const cart = await createCart(context, partnerCenter, order, tenantId);
  if (cart.expiresAt === null || new Date() < new Date(cart.expiresAt)) return cart;
  const checkout = await findStep(db, order.id, "checkout");
  if (checkout !== null && (checkout.succeeded || checkout.unanswered || checkout.doubtful)) return cart;
  await forgetStep(context, order.id, "cart");
  return createCart(context, partnerCenter, order, tenantId);
}

function createCart(
  context: Context,
  partnerCenter: PartnerCenter,
  order: Order,
  tenantId: string,
): Promise<StoredCart> {
  const { line } = order;
  return providerStep(context, order.id, "cart", cartResult, async ({ requestId, look }) => {
    const { catalogItemId } = await look(async () => {
      const { productId, skuId } = await microsoftIdsOf(context, order);
      return partnerCenter.findAvailability(productId, skuId, order.country, line.term);
    });
    const created = await partnerCenter.createCart(
      tenantId,
      [
        {
          catalogItemId,
          quantity: line.quantity,
          billingCycle: line.billingCycle,
          termDuration: line.term,
        },
      ],
      requestId,
    );
    return {
      cartId: created.cartId,
      createdAt: created.createdAt.toISOString(),
      expiresAt: created.expiresAt.toISOString(),
    };
  });
}

/**
 * Finds what an earlier checkout of the cart has bought, when its answer was lost. Orders do not name their cart, so it is
 * the first order since the cart was made, for the same item, term and quantity, that is no other order's of ours.
 * @throws ProviderError (transient) while Microsoft does not list it
 */
async function findPlaced(
  context: Context,
  partnerCenter: PartnerCenter,
  order: Order,
  tenantId: string,
  cart: StoredCart,
): Promise<PartnerOrder> {
  const { line } = order;
  const sku = vendorKey(await microsoftIdsOf(context, order));
  const since = cart.createdAt === null ? (order.paidAt ?? order.createdAt) : new Date(cart.createdAt);
  const alike = (await partnerCenter.listOrders(tenantId))
    .filter(
      ({ createdAt, lineItems }) =>
        createdAt >= since &&
        lineItems.some(
          ({ offerId, quantity, termDuration }) =>
            offerId.startsWith(`${sku}:`) && quantity === line.quantity && termDuration === line.term,
        ),
    )
    .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  const others = new Set(
    await listVendorOrdersUsed(
      context.db,
      alike.map(({ id }) => id),
      { except: order.id },
    ),
  );
  const placed = alike.find(({ id }) => !others.has(id));
  if (placed === undefined) {
    throw new ProviderError("microsoft", "transient", "GET orders", { code: "order_not_listed" });
  }
  return placed;
}

function newCustomer(account: AccountAnswers, domain: string) {
  return {
    domain,
    organizationRegistrationNumber:
      countries[account.country].registration.vendorNumber(account) ?? undefined,
    email: account.email,
    culture: countries[account.country].locale,
    language: "en",
    companyName: account.companyName,
    address: {
      firstName: account.firstName,
      lastName: vendorLastName(account),
      addressLine1: account.addressLine1,
      addressLine2: withoutPlaceholder(account.addressLine2) || account.city,
      city: account.city,
      state: subdivisionCode(account.country, account.state) ?? account.state,
      postalCode: account.pincode,
      country: account.country,
      phoneNumber: account.phoneNumber,
    },
  };
}
