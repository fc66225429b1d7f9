/**
 * How a total came about, step by step: what each figure was made of, and which of them was rounded. It only tells: the figures are
 * those that were charged, and what they were made of is told where it gives them.
 */
import { type Money, money } from "#db/money.ts";
import { prorate, type QuoteLine } from "./quote.ts";

/** What is stored of a purchase, and how its tax is named. */
export interface BreakdownInput {
  lines: readonly QuoteLine[];
  /** What a licence costs by the list for a whole billing period; null where that was not stored. */
  full: Money | null;
  /** The share of a term that is paid for; null for a whole one. */
  proration: { daysLeft: number; daysInTerm: number } | null;
  taxes: readonly { name: string; rateBasisPoints: number; amount: Money }[];
  total: Money;
}

export type BreakdownStep =
  | { kind: "list"; full: Money }
  | { kind: "days"; full: Money; daysLeft: number; daysInTerm: number; unitPrice: Money; isRounded: boolean }
  | { kind: "days-alone"; daysLeft: number; daysInTerm: number; unitPrice: Money }
  | ({ kind: "line" } & QuoteLine)
  | { kind: "subtotal"; subtotal: Money }
  | { kind: "tax"; name: string; rateBasisPoints: number; of: Money; amount: Money; isRounded: boolean }
  | { kind: "rounding"; before: Money; amount: Money }
  | { kind: "total"; total: Money };

/**
 * The steps in their order. Lines, taxes and rounding add up to the total, whatever was stored. The price of the list is told where it gives
 * the price that was charged: the first licences of a new sign-up have a price of their own.
 */
export function computationOf({ lines, full, proration, taxes, total }: BreakdownInput): BreakdownStep[] {
  const { currency } = total;
  const subtotal = sumOf(
    lines.map(({ amount }) => amount),
    currency,
  );
  const before = sumOf([subtotal, ...taxes.map(({ amount }) => amount)], currency);
  const rounding = money(total.minor - before.minor, currency);
  const regular = lines.at(-1)?.unitPrice ?? null;
  return [
    ...(regular === null ? [] : priceSteps({ regular, full, proration })),
    ...lines.map((line) => ({ kind: "line" as const, ...line })),
    ...(lines.length > 1 ? [{ kind: "subtotal" as const, subtotal }] : []),
    ...taxes.map(({ name, rateBasisPoints, amount }) => ({
      kind: "tax" as const,
      name,
      rateBasisPoints,
      of: subtotal,
      amount,
      isRounded: (BigInt(subtotal.minor) * BigInt(Math.round(rateBasisPoints))) % 10_000n !== 0n,
    })),
    ...(rounding.minor === 0 ? [] : [{ kind: "rounding" as const, before, amount: rounding }]),
    { kind: "total", total },
  ];
}

function priceSteps({
  regular,
  full,
  proration,
}: Pick<BreakdownInput, "full" | "proration"> & { regular: Money }): BreakdownStep[] {
  if (proration === null) {
    return full !== null && full.minor === regular.minor ? [{ kind: "list", full }] : [];
  }
  const { daysLeft, daysInTerm } = proration;
  if (full === null || prorate(full, daysLeft, daysInTerm).minor !== regular.minor)
    return [{ kind: "days-alone", daysLeft, daysInTerm, unitPrice: regular }];
  const isRounded = (BigInt(full.minor) * BigInt(daysLeft)) % BigInt(daysInTerm) !== 0n;
  return [
    { kind: "list", full },
    { kind: "days", full, daysLeft, daysInTerm, unitPrice: regular, isRounded },
  ];
}

function sumOf(amounts: readonly Money[], currency: Money["currency"]): Money {
  return money(
    amounts.reduce((sum, { minor }) => sum + minor, 0),
    currency,
  );
}
