/** Discrepancies between vendors' bills, buyers' payments and the known costs. */

import { listPaidCharges, type PaidCharge, subscriptionsRefunded } from "#db/billing/paid-charges.ts";
import type { Discrepancy } from "#db/billing/reconciliation.ts";
import { lastMonthsRead, listOddLines, type OddLines } from "#db/billing/vendor-bill-lists.ts";
import { listBillLines, listSubscriptionIds, type StoredBillLine } from "#db/billing/vendor-bills.ts";
import { findCharges } from "#db/catalogue/vendor-prices.ts";
import type { SubscriptionId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import { families, familyIds } from "#server/catalogue/families/registry.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { licences } from "#server/catalogue/pricing/quantity.ts";
import { orderNumber } from "#server/orders/number.ts";
import type { Context } from "#server/platform/context.ts";
import { daysLater, utcMonth } from "./days.ts";
import { type Charge, pairCharges } from "./match.ts";

/** Difference allowed between a charge and its order, for the vendor's clock and its processing time. */
const toleranceDays = 3;

interface PaidFor extends Charge {
  paid: PaidCharge;
}

type Look = Pick<Context, "db" | "env">;

/** Subscriptions in memory at once; few enough that PostgreSQL finds their rows through its index. */
const subscriptionsAtOnce = 100;

export async function findInBills(context: Look): Promise<Discrepancy[]> {
  const { db } = context;
  const months = new Map((await lastMonthsRead(db)).map(({ account, ...read }) => [account, read]));
  const found = (await listOddLines(db)).map(oddOf);
  // A line with an unknown subscription pairs with nothing.
  for (const line of (await listBillLines(db, null)).filter(isUsual))
    if (line.amountMinor !== 0) found.push(line.kind === "credit" ? creditOf(line) : unpaidOf(line));
  let after: SubscriptionId | null = null;
  do {
    const ids: SubscriptionId[] = await listSubscriptionIds(db, { after, limit: subscriptionsAtOnce });
    found.push(...(await findInBillsOf(context, ids, months)));
    after = ids.at(-1) ?? null;
  } while (after !== null);
  return found;
}

/** Finds discrepancies of these subscriptions. @param months the first and the last fully read month of each account */
async function findInBillsOf(
  context: Look,
  ids: readonly SubscriptionId[],
  months: ReadonlyMap<string, { first: string; last: string }>,
): Promise<Discrepancy[]> {
  if (ids.length === 0) return [];
  const { db } = context;
  const billed = familyIds.filter((family) => families[family].bills !== null);
  const lines = (await listBillLines(db, ids)).filter(isUsual);
  const charges = (await listPaidCharges(db, billed, ids)).map(chargeOf);
  const charged = lines.filter(({ kind }) => kind !== "credit");
  const { pairs, unbilled, unpaid } = pairPaidFirst(charges, charged);
  const isRead = ({ from, to, paid }: PaidFor) => {
    const read = months.get(families[paid.family].vendor?.accountOf(paid.country) ?? "");
    return read !== undefined && utcMonth(from) >= read.first && utcMonth(to) <= read.last;
  };
  const refunded = await subscriptionsRefunded(db, ids);
  const credits = lines.filter(
    ({ kind, subscriptionId: id }) => kind === "credit" && (id === null || !refunded.has(id)),
  );
  return [
    ...unbilled.filter(isRead).map(unbilledOf),
    ...unpaid.map(unpaidOf),
    ...credits.map(creditOf),
    ...pairs.flatMap(({ charge, line }) => quantityOf(charge, line)),
    ...(await pricesOf(
      context,
      pairs.map(({ line }) => line),
    )),
  ];
}

/** Whether a line is compared. Lines with a remark become one discrepancy per bill instead. */
const isUsual = ({ remark }: StoredBillLine) => remark === null;

/**
 * Pairs charges. Lines with amount 0, such as a trial or its conversion, pair only with orders that no other line fits, and
 * cause no discrepancy.
 */
function pairPaidFirst(charges: readonly PaidFor[], lines: readonly StoredBillLine[]) {
  const paid = pairCharges(
    charges,
    lines.filter(({ amountMinor }) => amountMinor !== 0),
  );
  const free = pairCharges(
    paid.unbilled,
    lines.filter(({ amountMinor }) => amountMinor === 0),
  );
  return { pairs: [...paid.pairs, ...free.pairs], unbilled: free.unbilled, unpaid: paid.unpaid };
}

function chargeOf(paid: PaidCharge): PaidFor {
  const { kind, subscriptionId, quantity, paidAt, fulfilledAt, renewal } = paid;
  const after = kind === "RENEW" && renewal !== undefined ? new Date(renewal.after) : null;
  // The next term follows a running one when that ends; a lapsed subscription is bought again immediately.
  const scheduled = after !== null && after > fulfilledAt ? after : null;
  return {
    paid,
    subscriptionId,
    kind: kind === "ADD" ? "seats" : "term",
    seats: quantity,
    from: daysLater(scheduled ?? paidAt, -toleranceDays),
    to: daysLater(scheduled ?? fulfilledAt, toleranceDays),
  };
}

const labelOf = ({ family }: Pick<StoredBillLine, "family">) => families[family].label;
const amountOf = ({ amountMinor, currency }: Pick<StoredBillLine, "amountMinor" | "currency">) =>
  formatMoney(money(Math.abs(amountMinor), currency));
const dayIn = ({ startsAt }: StoredBillLine) => startsAt.toISOString().slice(0, 10);

function unbilledOf({ paid, seats }: PaidFor): Discrepancy {
  const { subtotalMinor, currency } = paid;
  return {
    key: `vendor-unbilled:${paid.orderId}`,
    kind: "vendor-unbilled",
    amountMinor: subtotalMinor,
    currency,
    orderId: paid.orderId,
    what: `Order ${orderNumber(paid)} was paid for ${licences(seats)}, ${formatMoney(money(subtotalMinor, currency))} before tax, but ${labelOf(paid)} hasn't billed us for it.`,
  };
}

function unpaidOf(line: StoredBillLine): Discrepancy {
  const { family, lineKey, amountMinor, currency, externalId, statement, seats } = line;
  const whose = line.subscriptionId === null ? ", which is not known here" : "";
  return {
    key: `vendor-unpaid:${family}:${lineKey}`,
    kind: "vendor-unpaid",
    amountMinor,
    currency,
    orderId: line.orderId,
    what: `${labelOf(line)} bills us ${amountOf(line)} for ${licences(seats)} of ${externalId}${whose}, from ${dayIn(line)} (bill ${statement}), but no buyer paid for it.`,
  };
}

function creditOf(line: StoredBillLine): Discrepancy {
  const { family, lineKey, amountMinor, currency, externalId, statement } = line;
  return {
    key: `vendor-credit:${family}:${lineKey}`,
    kind: "vendor-credit",
    amountMinor: Math.abs(amountMinor),
    currency,
    orderId: line.orderId,
    what: `${labelOf(line)} gives us ${amountOf(line)} back for ${externalId} (bill ${statement}), but no buyer was refunded for it.`,
  };
}

/** Maximum number of remarks in a discrepancy. The bill's list of lines shows all. */
const maxRemarks = 20;

function oddOf({ family, account, statement, currency, amountMinor, remarks }: OddLines): Discrepancy {
  const more = remarks.length - maxRemarks;
  const named = [...remarks.slice(0, maxRemarks), ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
  const sum = `${amountMinor < 0 ? "-" : ""}${amountOf({ amountMinor, currency })}`;
  return {
    key: `vendor-odd:${family}:${account}:${statement}:${currency}`,
    kind: "vendor-odd",
    amountMinor,
    currency,
    orderId: null,
    what: `${labelOf({ family })}'s bill ${statement} has ${remarks.length === 1 ? "a line" : `${remarks.length} lines`} that a person must check, ${sum} in all: ${named}.`,
  };
}

function quantityOf({ paid, seats }: PaidFor, line: StoredBillLine): Discrepancy[] {
  if (seats === line.seats || line.seats === 0) return [];
  return [
    {
      key: `vendor-quantity:${paid.orderId}`,
      kind: "vendor-quantity",
      amountMinor: Math.round((Math.abs(line.seats - seats) * line.amountMinor) / line.seats),
      currency: line.currency,
      orderId: paid.orderId,
      what: `Order ${orderNumber(paid)} was paid for ${licences(seats)}, and ${labelOf(line)} bills us ${licences(line.seats)} of ${line.externalId} (bill ${line.statement}).`,
    },
  ];
}

/** Costs are rounded up to whole minor units, and bills to the nearest. */
const roundingMinor = 1;

/** Finds lines whose price differs from the known one. */
async function pricesOf({ db, env }: Look, lines: readonly StoredBillLine[]): Promise<Discrepancy[]> {
  const priced = lines.flatMap((line) => {
    const { family, unitMinor, currency, seats, startsAt, sold } = line;
    const account = sold === null ? null : families[family].vendor?.catalogue.accountIn(env, sold.country);
    if (sold === null || account == null || unitMinor === 0) return [];
    return [{ line, query: { ...sold, account, family, currency, quantity: seats, now: startsAt } }];
  });
  const charges = await findCharges(
    db,
    priced.map(({ query }) => query),
  );
  return priced.flatMap(({ line }, place) => {
    const { family, lineKey, unitMinor, amountMinor, currency } = line;
    const cost = charges[place]?.cost;
    if (cost === undefined || Math.abs(cost.minor - unitMinor) <= roundingMinor) return [];
    return [
      {
        key: `vendor-price:${family}:${lineKey}`,
        kind: "vendor-price",
        amountMinor: Math.round((amountMinor * Math.abs(unitMinor - cost.minor)) / unitMinor),
        currency,
        orderId: line.orderId,
        what: `${labelOf(line)} bills us ${formatMoney(money(unitMinor, currency))} for a license of ${line.externalId} from ${dayIn(line)} (bill ${line.statement}), and its price is ${formatMoney(cost)}.`,
      },
    ];
  });
}
