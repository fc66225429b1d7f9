/** Reads the figures that the desk's first page shows, by its address, and puts them into words. */

import type { Context } from "#server/context.ts";
import { standardCountry } from "#server/countries/country.ts";
import { type Figures, figureUnits, isDate, readFigures } from "#server/desk/figures.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { dateView } from "#server/subscriptions/dates.ts";
import { givenIn } from "../address-text.ts";
import type { FiguresView } from "./figures.tsx";

const unitWords: Readonly<Record<(typeof figureUnits)[number], string>> = {
  day: "Day",
  month: "Month",
  year: "Year",
};

/** Of today, unless the address says otherwise. Days are those of the store's own country. */
export async function readFiguresView({ db }: Pick<Context, "db">, url: URL): Promise<FiguresView> {
  const asked = givenIn(url, "on") ?? "";
  const on = isDate(asked) ? asked : dateView(new Date(), standardCountry).iso;
  const unit = figureUnits.find((each) => each === givenIn(url, "unit")) ?? "day";
  const figures = await readFigures(db, { unit, on, country: standardCountry });
  return {
    unit,
    units: figureUnits.map((value) => ({ value, label: unitWords[value] })),
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

function tilesOf({ orders, money, fulfilment, failures }: Figures): FiguresView["tiles"] {
  const count = (name: string, value: number, note: string | null = null) => ({
    name,
    values: [counted.format(value)],
    isMoney: false,
    note,
  });
  const amounts = (name: string, of: Figures["money"]["paid"]) => ({
    name,
    values: of.length === 0 ? ["none"] : of.map(formatMoney),
    isMoney: true,
    note: null,
  });
  const { medianSeconds, slowSeconds } = fulfilment;
  return [
    count("Orders paid", orders.paid),
    count("Orders carried out", orders.fulfilled),
    amounts("Money received", money.paid),
    amounts("Refunded", money.refunded),
    ...(money.lost.length === 0 ? [] : [amounts("Lost in disputes", money.lost)]),
    {
      name: "From paid to carried out",
      values: [medianSeconds === null ? "none" : durationOf(medianSeconds)],
      isMoney: false,
      note: slowSeconds === null ? null : `median; 95 of 100 within ${durationOf(slowSeconds)}`,
    },
    count("Orders stopped", failures.orders),
    count("Payments failed", failures.payments),
    count("Refunds failed", failures.refunds),
    count("Mails refused", failures.mails),
  ];
}

/** "45 s", "12 min", "3.5 h", "2.1 days". */
function durationOf(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  const inTenths = (unit: number) => Math.round((seconds / unit) * 10) / 10;
  return seconds < 36 * 3_600 ? `${inTenths(3_600)} h` : `${inTenths(86_400)} days`;
}
