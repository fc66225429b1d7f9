/** Overview of money in Desk: one sentence for each of its lists. */

import { listPayouts } from "#db/billing/payouts.ts";
import { listOpenDiscrepancies } from "#db/billing/reconciliation.ts";
import { countRefunds } from "#db/billing/refunds.ts";
import { listBills } from "#db/billing/vendor-bill-lists.ts";
import { type Money, money } from "#db/money.ts";
import { countUnusedEvents } from "#db/platform/provider-events.ts";
import type { Currency } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import { awaitedCertificates } from "#server/billing/payments/certificates.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { netOf } from "./lists/payouts.ts";
import type { MoneyListId } from "./lists/registry.ts";
import { amountOf } from "./work-queue.ts";

/** Returns a sentence about each list; null for lists of lines, which another list links to. */
export async function readMoney(db: Db, now: Date): Promise<Readonly<Record<MoneyListId, string | null>>> {
  const first = { after: null, limit: 1 };
  const [differences, refunds, payouts, bills, certificates, events] = await Promise.all([
    listOpenDiscrepancies(db),
    countRefunds(db),
    listPayouts(db, { from: null, before: null, search: null }, first),
    listBills(db, { family: null, month: null, ...first }),
    awaitedCertificates(db, now),
    countUnusedEvents(db),
  ]);
  const [payout] = payouts.rows;
  const [bill] = bills.rows;
  const overdue = certificates.filter(({ isOverdue }) => isOverdue).length;
  const refundsOf = (isMeant: (status: string) => boolean) =>
    refunds.filter(({ status }) => isMeant(status)).reduce((sum, { count }) => sum + count, 0);
  const failed = refundsOf((status) => status === "failed");
  const underWay = refundsOf((status) => status !== "failed");
  return {
    differences:
      differences.length === 0
        ? "No discrepancies."
        : `${differences.length} open, ${sumsOf(differences.map(({ amountMinor, currency }) => money(amountMinor, currency)))}.`,
    refunds: `${underWay} under way, ${failed} failed.`,
    payouts:
      payout === undefined
        ? "None read yet."
        : `The last reached the bank with ${amountOf({ amountMinor: netOf(payout), currency: payout.currency }) ?? ""}, UTR ${payout.bankReference ?? "not told"}.`,
    "payout-lines": null,
    bills:
      bill === undefined
        ? "None read yet."
        : `The last is of ${bill.month}, by ${families[bill.family].label}: ${amountOf({ amountMinor: bill.chargedMinor, currency: bill.currency }) ?? "without a line"}.`,
    "bill-lines": null,
    certificates:
      certificates.length === 0
        ? "None outstanding."
        : `${certificates.length} awaited, ${sumsOf(certificates.map(({ open }) => open))}, ${overdue} overdue.`,
    events: `${events.get("waiting") ?? 0} waiting for their payment, ${events.get("unreadable") ?? 0} not readable.`,
  };
}

/** Formats one sum per currency: "₹1,000 and $20". */
function sumsOf(amounts: readonly Money[]): string {
  const sums = new Map<Currency, number>();
  for (const { minor, currency } of amounts) sums.set(currency, (sums.get(currency) ?? 0) + minor);
  return [...sums].map(([currency, minor]) => formatMoney(money(minor, currency))).join(" and ");
}
