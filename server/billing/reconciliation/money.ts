/** Discrepancies between payments, payouts, invoices and credit notes. */

import { listUncreditedRefunds } from "#db/billing/credit-notes.ts";
import { listPayoutLines } from "#db/billing/payouts.ts";
import { type Discrepancy, listMisinvoicedPayments, listUnpaidInvoices } from "#db/billing/reconciliation.ts";
import {
  listUnsettledPayments,
  listUnsettledRefunds,
  type SettledLine,
  type UnsettledMoney,
} from "#db/billing/settlements.ts";
import type { Cursor, PageOfRows } from "#db/keyset.ts";
import { money } from "#db/money.ts";
import type { Currency } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import type { PaymentAccount } from "#db/tables/payments.ts";
import { awaitedCertificates } from "#server/billing/payments/certificates.ts";
import { paymentProviders } from "#server/billing/payments/registry.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { scale } from "#server/catalogue/pricing/money.ts";
import { countries, currencies, currencyOf, standardCountry } from "#server/foundation/countries/registry.ts";
import { countryTaxRate } from "#server/foundation/countries/tax-rates.ts";
import { orderNumber } from "#server/orders/number.ts";
import type { Context } from "#server/platform/context.ts";
import { workingDaysLater } from "./days.ts";

type Look = Pick<Context, "db" | "env">;

export async function findInPayouts({ db, env }: Look, now: Date): Promise<Discrepancy[]> {
  const isLate = ({ at }: UnsettledMoney) => workingDaysLater(at, env.SETTLEMENT_WORKING_DAYS) < now;
  const late = (kind: string, verb: string) => (entry: UnsettledMoney) => {
    const amount = money(entry.amountMinor, entry.currency);
    const { name } = paymentProviders[entry.provider];
    return {
      key: `${kind}:${entry.entityId}`,
      kind,
      amountMinor: amount.minor,
      currency: amount.currency,
      orderId: entry.orderId,
      what: `${formatMoney(amount)} of order ${orderNumber(entry)} (${entry.entityId}) was ${verb} on ${entry.at.toISOString().slice(0, 10)}, and is in no payout of ${name}.`,
    };
  };
  return [
    ...(await listUnsettledPayments(db)).filter(isLate).map(late("paid-not-settled", "paid")),
    ...(await listUnsettledRefunds(db)).filter(isLate).map(late("refund-not-settled", "refunded")),
    ...(await findInLines(db)),
  ];
}

/** Payout lines in memory at once; few enough that PostgreSQL finds each through its index. */
const linesAtOnce = 100;

async function findInLines(db: Db): Promise<Discrepancy[]> {
  const found: Discrepancy[] = [];
  const all = { payout: null, from: null, before: null, search: null };
  let after: Cursor | null = null;
  do {
    const { rows, next }: PageOfRows<SettledLine> = await listPayoutLines(db, all, {
      after,
      limit: linesAtOnce,
    });
    found.push(...rows.flatMap(problemsOf));
    after = next;
  } while (after !== null);
  return found;
}

function problemsOf(line: SettledLine): Discrepancy[] {
  const currency = knownCurrency(line.currency, line.account);
  const { name } = paymentProviders[line.provider];
  const payout = `payout ${line.settlementId} of ${name}`;
  const says = (kind: string, amountMinor: number, what: string): Discrepancy => ({
    key: `${kind}:${line.entityId}:${line.settlementId}`,
    kind,
    amountMinor,
    currency,
    orderId: line.ours?.orderId ?? null,
    what,
  });
  const amount = formatMoney(money(line.amountMinor, currency));
  if (line.ours === null) {
    const what =
      line.kind === "other"
        ? `${line.entityId} in ${payout} is neither a payment nor a refund: ${amount}.`
        : `The ${line.kind} ${line.entityId} in ${payout} is not known here: ${amount}.`;
    return [says("settled-unknown", line.amountMinor, what)];
  }
  const found: Discrepancy[] = [];
  const { amountMinor: ours } = line.ours;
  // A payment in another currency is converted before it is paid out.
  if (ours !== null && line.ours.currency === line.currency && ours !== line.amountMinor) {
    const known = formatMoney(money(ours, currency));
    found.push(
      says(
        "settled-amount",
        Math.abs(ours - line.amountMinor),
        `${line.entityId} is ${amount} in ${payout}, and ${known} here.`,
      ),
    );
  }
  const odd = feeProblem(line);
  if (odd !== null)
    found.push(says("fee-odd", odd.amountMinor, `The fee of ${line.entityId} in ${payout}: ${odd.why}`));
  return found;
}

/** Each amount is rounded separately. */
const roundingMinor = 1;

/**
 * Checks that a payment equals its payout plus its fee, and that the tax on the fee has the country's rate; null when it does.
 */
function feeProblem(line: SettledLine): { why: string; amountMinor: number } | null {
  const { kind, account, amountMinor, creditMinor, debitMinor, feeMinor, taxMinor } = line;
  const currency = knownCurrency(line.currency, account);
  const text = (minor: number) => formatMoney(money(minor, currency));
  if (kind === "payment") {
    const missing = amountMinor - feeMinor - (creditMinor - debitMinor);
    if (Math.abs(missing) > roundingMinor)
      return {
        amountMinor: Math.abs(missing),
        why: `${text(amountMinor)} less ${text(feeMinor)} was to be paid out, and ${text(creditMinor - debitMinor)} was.`,
      };
  }
  const country = account ?? standardCountry;
  if (countries[country].invoicing.tax.kind !== "gst") return null;
  if (feeMinor < taxMinor)
    return {
      amountMinor: taxMinor - feeMinor,
      why: `its tax is ${text(taxMinor)}, and all of it ${text(feeMinor)}.`,
    };
  const taxRateBasisPoints = countryTaxRate(country, line.settledAt ?? new Date());
  const due = scale(money(feeMinor - taxMinor, currency), taxRateBasisPoints, 10_000).minor;
  if (Math.abs(due - taxMinor) <= roundingMinor) return null;
  return {
    amountMinor: Math.abs(due - taxMinor),
    why: `its tax is ${text(taxMinor)}, and ${taxRateBasisPoints / 100}% of ${text(feeMinor - taxMinor)} are ${text(due)}.`,
  };
}

function knownCurrency(text: string, account: PaymentAccount): Currency {
  return currencies.find((currency) => currency === text) ?? currencyOf(account ?? standardCountry);
}

/** Finds withheld tax whose certificate is overdue. */
export async function findUncertified({ db }: Look, now: Date): Promise<Discrepancy[]> {
  return (await awaitedCertificates(db, now))
    .filter(({ isOverdue }) => isOverdue)
    .map(({ proforma, open, due, paidAt, ...order }) => ({
      key: `certificate-overdue:${proforma}`,
      kind: "certificate-overdue",
      amountMinor: open.minor,
      currency: open.currency,
      orderId: order.orderId,
      what: `${formatMoney(open)} TDS was deducted from order ${orderNumber(order)} on ${paidAt.toISOString().slice(0, 10)}; its certificate was due on ${due} and hasn't arrived.`,
    }));
}

export async function findInDocuments({ db }: Look): Promise<Discrepancy[]> {
  const misinvoiced = (await listMisinvoicedPayments(db)).map(
    ({ providerPaymentId, amountMinor, currency, invoice, ...order }): Discrepancy => {
      const paid = formatMoney(money(amountMinor, currency));
      if (invoice === null) {
        return {
          key: `paid-not-invoiced:${providerPaymentId}`,
          kind: "paid-not-invoiced",
          amountMinor,
          currency,
          orderId: order.orderId,
          what: `${paid} was paid for order ${orderNumber(order)} (${providerPaymentId}), which has no invoice.`,
        };
      }
      return {
        key: `invoice-total:${invoice.number}`,
        kind: "invoice-total",
        amountMinor: Math.abs(invoice.totalMinor - amountMinor),
        currency,
        orderId: order.orderId,
        what: `Invoice ${invoice.number} of order ${orderNumber(order)} says ${formatMoney(money(invoice.totalMinor, currency))}, and ${paid} was paid (${providerPaymentId}).`,
      };
    },
  );
  const unpaid = (await listUnpaidInvoices(db)).map(
    ({ invoice, totalMinor, currency, ...order }): Discrepancy => ({
      key: `invoiced-not-paid:${invoice}`,
      kind: "invoiced-not-paid",
      amountMinor: totalMinor,
      currency,
      orderId: order.orderId,
      what: `Invoice ${invoice} of order ${orderNumber(order)}, ${formatMoney(money(totalMinor, currency))}, has no matching payment.`,
    }),
  );
  const uncredited = (await listUncreditedRefunds(db)).map(
    ({ refundId, amountMinor, currency, creditNote, ...order }): Discrepancy => {
      const amount = formatMoney(money(amountMinor, currency));
      return creditNote === null
        ? {
            key: `refunded-not-credited:${refundId}`,
            kind: "refunded-not-credited",
            amountMinor,
            currency,
            orderId: order.orderId,
            what: `${amount} of order ${orderNumber(order)} was refunded without a credit note.`,
          }
        : {
            key: `credited-not-refunded:${creditNote}`,
            kind: "credited-not-refunded",
            amountMinor,
            currency,
            orderId: order.orderId,
            what: `Credit note ${creditNote} of order ${orderNumber(order)} says ${amount}, and the refund failed.`,
          };
    },
  );
  return [...misinvoiced, ...unpaid, ...uncredited];
}
