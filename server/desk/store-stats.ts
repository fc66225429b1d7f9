/** Figures of a day, a month or a year for the operator: orders, money, speed, and failures. */

import {
  calendarRange,
  countOrdersIn,
  countPaymentsIn,
  countRefundsIn,
  countRefusedMailsIn,
  countStuckIn,
  fulfilmentTimesIn,
  type MoneyMoved,
  sumMoneyIn,
} from "#db/desk/store-stats.ts";
import { type Money, money } from "#db/money.ts";
import type { Country } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import { countries, currencies } from "#server/foundation/countries/registry.ts";
import { isDay } from "#server/orders/subscriptions/dates.ts";

export const statsUnits = ["day", "month", "year"] as const;

export interface StoreStatsQuery {
  unit: (typeof statsUnits)[number];
  /** A date in the period: "2026-11-25". */
  on: string;
  /** Country whose clock decides when days begin. Orders of every country count. */
  country: Country;
}

export interface StoreStats {
  from: Date;
  until: Date;
  orders: { paid: number; fulfilled: number };
  /** One amount per currency, in the order of our currencies. */
  money: Record<MoneyMoved["kind"], Money[]>;
  /** Seconds from payment to the end of fulfilment, for orders fulfilled in the period; null without any. */
  fulfilment: { medianSeconds: number | null; slowSeconds: number | null };
  failures: {
    /** Orders that were paid in the period and need attention now. */
    orders: number;
    payments: number;
    refunds: number;
    mails: number;
  };
}

/** @throws RangeError for an invalid date */
export async function readStoreStats(db: Db, { unit, on, country }: StoreStatsQuery): Promise<StoreStats> {
  if (!isDay(on)) throw new RangeError(`Not a date: ${on}`);
  const span = await calendarRange(db, { unit, on, timeZone: countries[country].timeZone });
  const [orders, payments, refunds, moved, times, stuck, mails] = await Promise.all([
    countOrdersIn(db, span),
    countPaymentsIn(db, span),
    countRefundsIn(db, span),
    sumMoneyIn(db, span),
    fulfilmentTimesIn(db, span),
    countStuckIn(db, span),
    countRefusedMailsIn(db, span),
  ]);
  const inState = (state: (typeof orders)[number]["state"]) =>
    sumOf(orders.filter((each) => each.state === state));
  return {
    ...span,
    orders: { paid: inState("paid"), fulfilled: inState("fulfilled") },
    money: {
      paid: amountsOf("paid", moved),
      refunded: amountsOf("refunded", moved),
      lost: amountsOf("lost", moved),
    },
    fulfilment: { medianSeconds: times.median, slowSeconds: times.slow },
    failures: {
      orders: stuck,
      payments: sumOf(payments.filter(({ result }) => result === "failed")),
      refunds: sumOf(refunds.filter(({ result }) => result === "failed")),
      mails,
    },
  };
}

/** Lists amounts in our currencies. Money in another currency fits no order, and needs a person. */
function amountsOf(kind: MoneyMoved["kind"], moved: readonly MoneyMoved[]): Money[] {
  return currencies.flatMap((currency) => {
    const found = moved.find((each) => each.kind === kind && each.currency === currency);
    return found === undefined ? [] : [money(found.amountMinor, currency)];
  });
}

function sumOf(rows: readonly { count: number }[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}
