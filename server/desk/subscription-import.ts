/**
 * Imports existing subscriptions of families without tenants: there is no vendor to read them from, so staff enter the customer's
 * subscription, with evidence.
 */

import { hasVerifiedOwner } from "#db/accounts/customers.ts";
import { lockCustomer } from "#db/accounts/members.ts";
import { listSubscriptionsWithTenant } from "#db/accounts/tenants.ts";
import { itemsOfFamilies } from "#db/catalogue/catalogue.ts";
import { type CustomerId, newId, type SubscriptionId } from "#db/ids.ts";
import { insertSubscription } from "#db/orders/subscriptions.ts";
import type { Term } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import { findCustomer } from "#server/accounts/customers.ts";
import { families, familyIds } from "#server/catalogue/families/registry.ts";
import type { CatalogueItem } from "#server/catalogue/items.ts";
import { type AuditContext, recordAudit } from "#server/foundation/audit.ts";
import { countries } from "#server/foundation/countries/registry.ts";
import { DomainError, notFound, wrongField } from "#server/foundation/errors.ts";
import { startOfDay } from "#server/orders/subscriptions/dates.ts";
import { endOfTerm, startOfTerm } from "#server/orders/subscriptions/term.ts";

/** Lists the plans on sale that can be imported in this way. */
export async function plansBroughtAlong(db: Db): Promise<CatalogueItem[]> {
  const without = familyIds.filter((id) => families[id].tenants === null);
  return (await itemsOfFamilies(db, without)).filter(({ isAddon }) => !isAddon);
}

export interface BroughtSubscription {
  customerId: CustomerId;
  /** Id of the plan. */
  plan: string;
  /** Positive. */
  seats: number;
  term: Term;
  /** "2027-03-31", in the company's country: the last day of the paid term. */
  endsOn: string;
  /** Domain by which the customer recognises it. */
  domain: string;
  reference: string;
}

/**
 * @param ordered.reason the evidence
 * @throws DomainError bad_request at a field; conflict for a plan that the company has under this domain; not_found
 */
export async function bringSubscription(
  db: Db,
  brought: BroughtSubscription,
  { by, reason, staffId }: AuditContext,
  now = new Date(),
): Promise<{ name: string }> {
  const { customerId, plan, seats, term, endsOn, reference } = brought;
  const domain = brought.domain.toLowerCase();
  const customer = await findCustomer(db, customerId);
  if (customer === null) throw notFound("company");
  const item = (await plansBroughtAlong(db)).find(({ id }) => id === plan);
  if (item === undefined) throw wrongField("plan", "Choose a plan.");
  const { currency } = countries[customer.country];
  const price = item.prices.find((each) => each.term === term && each.currency === currency);
  if (price === undefined) throw wrongField("term", `${item.name} isn't available for this term.`);
  if (item.maxSeats !== null && seats > item.maxSeats)
    throw wrongField("seats", `${item.name} allows up to ${item.maxSeats} licenses.`);
  const end = startOfDay(endsOn, customer.country);
  if (end > endOfTerm(now, term, customer.country) || endOfTerm(end, "P1Y", customer.country) < now)
    throw wrongField(
      "endsOn",
      "Enter the date the current term ends, or the last one ended (within the past year).",
    );
  if (!(await hasVerifiedOwner(db, customerId)))
    throw new DomainError("conflict", `No owner of ${customer.name} has confirmed their email yet.`);
  const id = newId<SubscriptionId>();
  await db.transaction().execute(async (trx) => {
    await lockCustomer(trx, customerId);
    const placed = await listSubscriptionsWithTenant(trx, customerId);
    if (placed.some((each) => each.itemId === item.id && each.domain === domain))
      throw new DomainError("conflict", `${customer.name} has ${item.name} for ${domain} already.`);
    await insertSubscription(trx, {
      id,
      customerId,
      tenantId: null,
      orderId: null,
      itemId: item.id,
      family: item.family,
      externalId: `brought-${id}`,
      domain,
      quantity: seats,
      term,
      billingCycle: price.billingCycle,
      status: end > now ? "active" : "expired",
      parentSubscriptionId: null,
      start: startOfTerm(end, term, customer.country),
      end,
      isSuspended: false,
      readAt: null,
    });
    await recordAudit(trx, {
      userId: null,
      staffId,
      action: "customer.bring-subscription",
      subject: `customer:${customerId}`,
      data: { reason, by, reference, subscription: id, plan, seats, term, endsOn, domain },
    });
  });
  return { name: item.name };
}
