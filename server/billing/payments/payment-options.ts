/** Texts for the buyer about the payment methods of an order, and its partial payments by transfer. */

import { listPayments, type Payment } from "#db/billing/payments.ts";
import { money } from "#db/money.ts";
import type { Order } from "#db/orders/order.ts";
import type { Country } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import {
  formatPaymentMethods,
  highestCeilingIn,
  instantMethodsIn,
  otherMethodsFor,
} from "#server/catalogue/pricing/payment-methods.ts";
import { perLanguage } from "#server/foundation/languages/language.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import type { Env } from "#server/platform/env.ts";

/** Returns the reason why a total cannot be paid in the checkout, with the alternatives. */
export function whyNotInCheckout(
  env: Pick<Env, "payments">,
  country: Country,
  total: Order["total"],
): MessageDescriptor {
  const most = highestCeilingIn(env, country);
  const others = otherMethodsFor(env, country, total);
  const instead = perLanguage((language) => formatPaymentMethods(language, others));
  if (most === null)
    return others.length > 0 ? msg("paying.notInCheckout", { instead }) : msg("paying.notHere");
  const methods = perLanguage((language) => formatPaymentMethods(language, instantMethodsIn(env, country)));
  const amounts = { total: formatMoney(total), most: formatMoney(most), methods };
  return others.length > 0
    ? msg("paying.aboveCeiling", { ...amounts, instead })
    : msg("paying.aboveCeilingHere", amounts);
}

/** Formats the transfers received so far, less than the total; null when there are none. */
export function partialPaymentsText(
  payments: readonly Payment[],
  { total }: Pick<Order, "total">,
): MessageDescriptor | null {
  const parts = payments.filter(({ status }) => status === "part");
  if (parts.length === 0) return null;
  const received = parts.reduce((sum, { amountMinor }) => sum + (amountMinor ?? 0), 0);
  return msg("paying.partIn", { received: formatMoney(money(received, total.currency)) });
}

/** Formats the same for an order whose payments are not read yet. */
export async function readPartialPaymentsText(db: Db, order: Order): Promise<MessageDescriptor | null> {
  return partialPaymentsText(await listPayments(db, order.id), order);
}
