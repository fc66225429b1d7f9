/** Reads and formats the statistics of Desk's first page for the period in the URL. */

import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { readStoreStats, type StoreStats, statsUnits } from "#server/desk/store-stats.ts";
import { standardCountry } from "#server/foundation/countries/registry.ts";
import { dateView, isDay } from "#server/orders/subscriptions/dates.ts";
import type { Context } from "#server/platform/context.ts";
import { searchParam } from "../search-param.ts";
import type { StoreStatsView } from "./stats.tsx";

const unitWords: Readonly<Record<(typeof statsUnits)[number], string>> = {
  day: "Day",
  month: "Month",
  year: "Year",
};

/** Statistics for the period in the URL, else for today. Days are in the store's own time zone. */
export async function readStoreStatsView({ db }: Pick<Context, "db">, url: URL): Promise<StoreStatsView> {
  const requested = searchParam(url, "on") ?? "";
  const on = isDay(requested) ? requested : dateView(new Date(), standardCountry).iso;
  const unit = statsUnits.find((each) => each === searchParam(url, "unit")) ?? "day";
  const figures = await readStoreStats(db, { unit, on, country: standardCountry });
  return {
    unit,
    units: statsUnits.map((value) => ({ value, label: unitWords[value] })),
    on,
    title: titleOf(unit, figures.from),
    tiles: tilesOf(figures),
  };
}

const counted = new Intl.NumberFormat("en");

function titleOf(unit: keyof typeof unitWords, from: Date): string {
  const words = dateView(from, standardCountry).text.split(" ");
  return words.slice({ day: 0, month: 1, year: 2 }[unit]).join(" ");
}

function tilesOf({ orders, money, fulfilment, failures }: StoreStats): StoreStatsView["tiles"] {
  const count = (name: string, value: number, note: string | null = null) => ({
    name,
    values: [counted.format(value)],
    isMoney: false,
    note,
  });
  const amounts = (name: string, of: StoreStats["money"]["paid"]) => ({
    name,
    values: of.length === 0 ? ["none"] : of.map(formatMoney),
    isMoney: true,
    note: null,
  });
  const { medianSeconds, slowSeconds } = fulfilment;
  return [
    count("Orders paid", orders.paid),
    count("Orders fulfilled", orders.fulfilled),
    amounts("Money received", money.paid),
    amounts("Refunded", money.refunded),
    ...(money.lost.length === 0 ? [] : [amounts("Lost to disputes", money.lost)]),
    {
      name: "Time to fulfil",
      values: [medianSeconds === null ? "none" : durationOf(medianSeconds)],
      isMoney: false,
      note: slowSeconds === null ? null : `median; 95% within ${durationOf(slowSeconds)}`,
    },
    count("Orders stopped", failures.orders),
    count("Payments failed", failures.payments),
    count("Refunds failed", failures.refunds),
    count("Emails rejected", failures.mails),
  ];
}

/** "45 s", "12 min", "3.5 h", "2.1 days". */
function durationOf(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  const inTenths = (unit: number) => Math.round((seconds / unit) * 10) / 10;
  return seconds < 36 * 3_600 ? `${inTenths(3_600)} h` : `${inTenths(86_400)} days`;
}
