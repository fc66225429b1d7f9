/**
 * The demo company: members, subscriptions, past orders and one left at Place Order, so that every screen has content. Loaded
 * only with the sandbox. Dates count from the first load, and figures come from the one pricing module.
 */

import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { AddressFields } from "#db/accounts/customers.ts";
import { insertStaff, listStaff, updateSecrets } from "#db/desk/staff.ts";
import { insertControlProof } from "#db/fulfilment/control-proofs.ts";
import {
  type CustomerId,
  newId,
  type OrderId,
  type PaymentId,
  type SubscriptionId,
  type TenantId,
  type UserId,
} from "#db/ids.ts";
import type { AccountAnswers, SignInAnswers } from "#db/orders/order.ts";
import { insertOrder } from "#db/orders/orders.ts";
import type { FamilyId, OrderKind } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { sandboxGoogleAccount, sandboxSellers } from "#sandbox/local/environment.ts";
import { addAddress, addMember, createCustomer } from "#server/accounts/customers.ts";
import { recordEmailVerification } from "#server/accounts/email-verification.ts";
import { hashPassword } from "#server/accounts/passwords.ts";
import { createUser, findUserByEmail } from "#server/accounts/users.ts";
import { issueInvoice } from "#server/billing/documents/issue.ts";
import { type CatalogueItem, findItem } from "#server/catalogue/items.ts";
import { beginOrder } from "#server/orders/draft.ts";
import { lockOrder } from "#server/orders/find.ts";
import { moveOrder } from "#server/orders/order-lifecycle.ts";
import { orderAmounts, orderLine, priceSelection, type Selection } from "#server/orders/pricing.ts";
import { endOfTerm } from "#server/orders/subscriptions/term.ts";
import { demoEmails, demoPassword, demoStaffEmail } from "./login.ts";

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
const country = "IN";

const company = "Bright Orchard Technologies Private Limited";
const gstin = "29AABCB1234C1ZA";
const microsoftPrefix = "brightorchard";
const microsoftDomain = `${microsoftPrefix}.onmicrosoft.com`;
const googleDomain = "brightorchard.example";

/** The address that the sandbox's register returns for this GSTIN. */
const address: AddressFields = {
  gstCode: gstin,
  addressLine1: "Lakeview Towers, 4th Floor, 221",
  addressLine2: "100 Feet Road",
  city: "Bengaluru",
  state: "Karnataka",
  pincode: "560038",
  country,
  organisationRegistrationNumber: gstin,
  email: demoEmails.owner,
  firstName: "Asha",
  lastName: "Rao",
  phone: "9876543210",
};

const account: AccountAnswers = {
  companyName: company,
  email: address.email,
  firstName: address.firstName,
  lastName: address.lastName,
  phoneCode: "+91",
  phoneNumber: address.phone,
  addressLine1: address.addressLine1,
  addressLine2: address.addressLine2,
  city: address.city,
  state: address.state,
  pincode: address.pincode,
  country,
  organisationRegistrationNumber: address.organisationRegistrationNumber,
  gst_code: gstin,
};

const yearly = (quantity: number): Selection => ({ term: "P1Y", billingCycle: "annual", quantity });
const monthly = (quantity: number): Selection => ({ term: "P1M", billingCycle: "monthly", quantity });

/** An arbitrary advisory lock number, unique within this database. */
const demoLock = 7_305_302;

/**
 * Writes the demo data once. When the demo user exists nothing is touched, so that a visitor's changes stay. Opens its own
 * transaction, and is safe when two processes start at once.
 * @returns false when it was already there
 */
export async function loadDemoData(db: Db, now = new Date()): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${demoLock})`.execute(trx);
    await makeStaff(trx);
    if ((await findUserByEmail(trx, demoEmails.owner)) !== null) return false;
    const buyer = await makeCompany(trx);
    await makeHistory(trx, buyer, now);
    await leaveAtPlaceOrder(trx, buyer, now);
    return true;
  });
}

/**
 * Creates a Desk admin without a second factor, which the sandbox does not require. Skipped when staff exist: demo data from
 * before Desk has none.
 */
async function makeStaff(trx: Trx): Promise<void> {
  if ((await listStaff(trx)).length > 0) return;
  const id = await insertStaff(trx, demoStaffEmail, "admin");
  if (id === null) return;
  const passwordHash = await hashPassword(demoPassword);
  await updateSecrets(trx, id, { passwordHash, totpCiphertext: null, totpStep: null });
}

interface Buyer {
  userId: UserId;
  customerId: CustomerId;
}

async function makeCompany(trx: Trx): Promise<Buyer> {
  const userId = await createUser(trx, {
    email: demoEmails.owner,
    firstName: address.firstName,
    lastName: address.lastName,
    phone: address.phone,
    password: demoPassword,
  });
  await recordEmailVerification(trx, userId, { passwordChosen: true });
  const customerId = await createCustomer(trx, { name: company, country, ownerId: userId });
  await addAddress(trx, customerId, address);

  // If somebody has already signed up with the viewer's address, the account is theirs.
  if ((await findUserByEmail(trx, demoEmails.viewer)) === null) {
    const viewerId = await createUser(trx, {
      email: demoEmails.viewer,
      firstName: "Vikram",
      lastName: "Iyer",
      phone: "9876543211",
      password: demoPassword,
    });
    await recordEmailVerification(trx, viewerId, { passwordChosen: true });
    await addMember(trx, { customerId, userId: viewerId, role: "viewer", by: userId });
  }
  return { userId, customerId };
}

async function makeHistory(trx: Trx, buyer: Buyer, now: Date): Promise<void> {
  const inDays = (days: number) => new Date(now.getTime() + days * dayMs);
  const { customerId } = buyer;
  const microsoft = await makeTenant(trx, customerId, {
    family: "microsoft",
    externalId: randomUUID(),
    domain: microsoftDomain,
  });
  const google = await makeTenant(trx, customerId, {
    family: "google",
    externalId: `accounts/${sandboxGoogleAccount}/customers/S${shortId()}`,
    domain: googleDomain,
  });

  const standard = await makeSubscription(trx, buyer, {
    tenant: microsoft,
    itemId: "microsoft-365-business-standard",
    selection: yearly(12),
    start: monthsBefore(inDays(20), 12),
    end: inDays(20),
    order: { kind: "NEW", signIn: { mode: "new", username: "admin", prefix: microsoftPrefix } },
  });
  await makeSubscription(trx, buyer, {
    tenant: google,
    itemId: "google-workspace-business-starter",
    selection: yearly(25),
    start: monthsBefore(inDays(200), 12),
    end: inDays(200),
    order: { kind: "NEW", signIn: null },
  });
  await makeSubscription(trx, buyer, {
    tenant: microsoft,
    itemId: "copilot-for-microsoft-365",
    selection: yearly(5),
    start: inDays(-90),
    end: endOfTerm(inDays(-90), "P1Y", "IN"),
    parentId: standard,
    order: { kind: "ADDON", signIn: null },
  });
  await makeSubscription(trx, buyer, {
    tenant: microsoft,
    itemId: "microsoft-teams-essentials",
    selection: monthly(8),
    start: monthsBefore(now, 2),
    end: monthsBefore(now, 1),
    status: "expired",
    // It was transferred from another partner, so we have no order for it.
    order: null,
  });
  // Can be cancelled for some days, and the next one also reduced.
  await makeSubscription(trx, buyer, {
    tenant: microsoft,
    itemId: "microsoft-365-apps-for-business",
    selection: yearly(4),
    start: inDays(-1.5),
    end: endOfTerm(inDays(-1.5), "P1Y", "IN"),
    order: { kind: "TUP", signIn: null },
  });
  await makeSubscription(trx, buyer, {
    tenant: microsoft,
    itemId: "microsoft-365-business-basic",
    selection: yearly(10),
    start: inDays(-0.25),
    end: endOfTerm(inDays(-0.25), "P1Y", "IN"),
    order: { kind: "TUP", signIn: null },
  });
}

interface Tenant {
  id: TenantId;
  family: FamilyId;
  externalId: string;
  domain: string;
}

async function makeTenant(trx: Trx, customerId: CustomerId, tenant: Omit<Tenant, "id">): Promise<Tenant> {
  const id = newId<TenantId>();
  const { family, externalId, domain } = tenant;
  await trx
    .insertInto("tenants")
    .values({ id, customer_id: customerId, family, external_id: externalId, domain, name: company })
    .execute();
  // Counts as made by this store, so that the demo's renewals and additions need no confirmation.
  await insertControlProof(
    trx,
    { customerId, family, tenantExternalId: externalId },
    {
      method: "made",
      orderId: null,
      subject: null,
      role: null,
      authenticatedAt: new Date(),
      expiresAt: null,
    },
  );
  return { ...tenant, id };
}

interface Bought {
  kind: OrderKind;
  signIn: SignInAnswers | null;
}

interface Held {
  tenant: Tenant;
  itemId: string;
  selection: Selection;
  start: Date;
  end: Date;
  status?: "active" | "expired";
  parentId?: SubscriptionId;
  /** The order that bought it here, or null when it was bought elsewhere. */
  order: Bought | null;
}

async function makeSubscription(trx: Trx, buyer: Buyer, held: Held): Promise<SubscriptionId> {
  const { tenant, selection } = held;
  const item = await itemToSell(trx, held.itemId);
  const id = newId<SubscriptionId>();
  const orderId =
    held.order === null ? null : await makePaidOrder(trx, buyer, { item, id, held, ...held.order });
  await trx
    .insertInto("subscriptions")
    .values({
      id,
      customer_id: buyer.customerId,
      tenant_id: tenant.id,
      order_id: orderId,
      item_id: item.id,
      family: tenant.family,
      external_id:
        // As the vendors that are played here write their ids.
        tenant.family === "google" ? `${tenant.externalId}/entitlements/S${shortId()}` : randomUUID(),
      domain: tenant.domain,
      quantity: selection.quantity,
      term: selection.term,
      billing_cycle: selection.billingCycle,
      status: held.status ?? "active",
      parent_subscription_id: held.parentId ?? null,
      start_date: held.start,
      end_date: held.end,
      created_at: held.start,
    })
    .execute();
  return id;
}

/** A completed order: paid, fulfilled, nothing left to do. */
async function makePaidOrder(
  trx: Trx,
  buyer: Buyer,
  bought: Bought & { item: CatalogueItem; id: SubscriptionId; held: Held },
): Promise<OrderId> {
  const { item, held } = bought;
  const { tenant, selection, start } = held;
  const priced = priceSelection(item, country, selection);
  const orderId = newId<OrderId>();
  const begun = new Date(start.getTime() - 12 * minuteMs);
  const paid = new Date(start.getTime() - 4 * minuteMs);
  await insertOrder(
    trx,
    {
      id: orderId,
      kind: bought.kind,
      family: item.family,
      itemId: item.id,
      country,
      stage: "stage4",
      paymentStatus: "completed",
      fulfilmentStatus: "done",
      userId: buyer.userId,
      customerId: buyer.customerId,
      tenantId: tenant.id,
      subscriptionId: bought.id,
      parentSubscriptionId: held.parentId ?? null,
      details: { priced: priced.priced },
      account,
      signIn: bought.signIn,
      figures: orderAmounts(priced, begun),
      termsAcceptedAt: paid,
      paidAt: paid,
      fulfilledAt: start,
      createdAt: begun,
      updatedAt: start,
    },
    orderLine(item, selection, priced),
  );

  const providerOrderId = `order_Demo${shortId()}`;
  const amount = { amount_minor: priced.total.minor, currency: priced.total.currency };
  await trx
    .insertInto("payment_intents")
    .values({
      id: newId(),
      order_id: orderId,
      receipt: newId().replaceAll("-", ""),
      provider: "razorpay",
      account: country,
      provider_order_id: providerOrderId,
      ...amount,
      status: "paid",
      created_at: paid,
    })
    .execute();
  await trx
    .insertInto("payments")
    .values({
      id: newId<PaymentId>(),
      order_id: orderId,
      provider_payment_id: `pay_Demo${shortId()}`,
      provider: "razorpay",
      account: country,
      provider_order_id: providerOrderId,
      ...amount,
      method: "card",
      status: "captured",
      problem: null,
      created_at: paid,
      settled_at: paid,
    })
    .execute();
  await trx
    .insertInto("fulfilments")
    .values({ order_id: orderId, status: "done", last_error: null, created_at: paid, updated_at: start })
    .execute();
  await issueInvoice(trx, sandboxSellers, orderId, paid);
  return orderId;
}

/** Posts details and account but pays nothing, so that the order's link opens Place Order. */
async function leaveAtPlaceOrder(trx: Trx, { userId, customerId }: Buyer, now: Date): Promise<void> {
  const item = await itemToSell(trx, "microsoft-365-business-premium");
  const id = await beginOrder(trx, {
    item,
    country,
    selection: yearly(3),
    placement: null,
    requester: { userId, customer: { id: customerId, role: "owner" }, draftKey: null },
    sellers: sandboxSellers.sellers,
    now,
  });
  const order = await lockOrder(trx, id);
  await moveOrder(trx, order, { stage: "stage2", account });
}

async function itemToSell(trx: Trx, id: string): Promise<CatalogueItem> {
  const item = await findItem(trx, id);
  if (item === null) throw new Error(`The demo data needs ${id}: seed the catalogue first.`);
  return item;
}

/** The same day some months earlier, or that month's last day. */
function monthsBefore(date: Date, months: number): Date {
  const earlier = new Date(date);
  earlier.setUTCDate(1);
  earlier.setUTCMonth(earlier.getUTCMonth() - months);
  const lastDay = new Date(Date.UTC(earlier.getUTCFullYear(), earlier.getUTCMonth() + 1, 0)).getUTCDate();
  earlier.setUTCDate(Math.min(date.getUTCDate(), lastDay));
  return earlier;
}

function shortId(): string {
  return randomBytes(6).toString("hex");
}
