/** The last checks with the vendor before payment: whether it still sells the plan, and for less than our price. */

import { findCost } from "#db/catalogue/vendor-prices.ts";
import type { Money } from "#db/money.ts";
import type { Order } from "#db/orders/order.ts";
import { answerInTime } from "#server/catalogue/families/answer-or-null.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { times } from "#server/catalogue/pricing/money.ts";
import { prorate } from "#server/catalogue/pricing/quote.ts";
import { countries, localisedCountryText } from "#server/foundation/countries/registry.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { queueOperatorAlert } from "#server/foundation/outbox/mail.ts";
import type { Context } from "#server/platform/context.ts";

/**
 * Time for which a price read from a vendor counts when a known price is required: three nights in which reading may fail
 * (docs/decisions/catalogue.md#checks-before-payment).
 */
export const priceKnownForMs = 3 * 86_400_000;

/**
 * Requires that the vendor sells the plan below our price. A refusal alerts the operator once a day and plan. A plan with an
 * unknown cost is sold, unless its family requires a known cost.
 * @throws DomainError conflict when the vendor does not sell the plan, or not to this tenant, or charges more than the buyer
 * would pay; provider_unavailable when the cost must be known and is not
 */
export async function requireOnSale(context: Context, order: Order, now: Date): Promise<void> {
  const { kind, family, country, line } = order;
  const { label, isOnSale, requiresKnownCost } = families[family];
  const plan = `${line.name} (${line.sku}, ${line.term}) in ${countries[country].nameInSentence}`;
  const refused = {
    plan: line.name,
    country: localisedCountryText(country, "inSentence"),
    wayOut: wayOutOf(order),
  };
  // Added seats belong to an existing subscription, which may have a plan that is no longer sold.
  const sale =
    kind === "ADD" ? null : await answerInTime(context, "is it on sale?", isOnSale(context, order));
  if (sale?.isSold === false) {
    await alert(context, order, now, {
      state: "not-on-sale",
      what: `${label} doesn't sell ${plan}. We rejected an order for it before payment.`,
      toDo: [
        "Compare with the vendor's catalogue: npm run catalogue -- check",
        "Correct the plan's vendor names, or remove it from db/seed.",
      ],
    });
    throw new DomainError("conflict", msg("refusals.notOnSale", { ...refused, vendor: label }));
  }
  if (sale?.lacksBase === true) {
    throw new DomainError("conflict", msg("refusals.lacksBase", { vendor: label, plan: line.name }));
  }
  const mustKnow = requiresKnownCost(order);
  const readSince = mustKnow ? new Date(now.getTime() - priceKnownForMs) : undefined;
  const cost = sale?.cost ?? (await costOf(context, order, { now, readSince }));
  if (cost === null) {
    if (mustKnow) throw await unknownCost(context, order, now, { label, plan });
    return;
  }
  if (times(ofTerm(cost, order), line.quantity).minor <= line.subtotal.minor) return;
  await alert(context, order, now, {
    state: "cost-above-price",
    what: `${label} charges ${formatMoney(cost)} for a license of ${plan}, but an order of ${line.quantity}${partOfTerm(order)} would have paid ${formatMoney(line.subtotal)}. We rejected it before payment.`,
    toDo: ["Raise the price with a price list in Desk, under Prices, or remove the plan from db/seed."],
  });
  throw new DomainError("conflict", msg("refusals.priceWrong", refused));
}

function wayOutOf({ subscriptionId }: Order) {
  return subscriptionId === null ? msg("refusals.chooseAnotherPlan") : msg("refusals.tryTomorrow");
}

/** Builds the refusal of an order whose vendor does not respond and whose price was not read lately. */
async function unknownCost(
  context: Context,
  order: Order,
  now: Date,
  { label, plan }: { label: string; plan: string },
): Promise<DomainError> {
  await alert(context, order, now, {
    state: "cost-unknown",
    what: `${label} isn't returning a cost for ${plan}, and its prices haven't been read for ${priceKnownForMs / 86_400_000} days. We rejected an order for it before payment.`,
    toDo: ["When the vendor responds again, read its prices: npm run catalogue -- update"],
  });
  return new DomainError(
    "provider_unavailable",
    msg("refusals.priceUnknown", { vendor: label, plan: order.line.name }),
  );
}

/** Returns the part of a whole billing period's cost that corresponds to the paid part of the term. */
function ofTerm(cost: Money, { details: { proration } }: Order): Money {
  return proration === undefined ? cost : prorate(cost, proration.daysLeft, proration.daysInTerm);
}

function partOfTerm({ details: { proration } }: Order): string {
  return proration === undefined ? "" : ` for ${proration.daysLeft} of ${proration.daysInTerm} days`;
}

/** Finds the cost of a seat for one billing period by the imported prices; null when unknown. */
async function costOf(
  { db, env }: Context,
  order: Order,
  { now, readSince }: { now: Date; readSince: Date | undefined },
): Promise<Money | null> {
  const { family, country, itemId, line } = order;
  const account = families[family].vendor?.catalogue.accountIn(env, country) ?? null;
  if (account === null) return null;
  const { term, billingCycle, quantity, unitPrice } = line;
  return findCost(db, {
    family,
    country,
    account,
    itemId,
    term,
    billingCycle,
    quantity,
    currency: unitPrice.currency,
    now,
    readSince,
  });
}

async function alert(
  { db }: Context,
  { id, itemId, country, line }: Order,
  now: Date,
  { state, what, toDo }: { state: string; what: string; toDo: readonly string[] },
): Promise<void> {
  const dedupeKey = `${state}:${itemId}:${country}:${line.term}:${now.toISOString().slice(0, 10)}`;
  await db.transaction().execute((trx) => queueOperatorAlert(trx, { dedupeKey, orderId: id, what, toDo }));
}
