/**
 * Explains a total step by step: the inputs of each figure, and the rounded ones. It only describes: the figures are the charged
 * ones, and inputs appear only where they produce them.
 */
import { type Money, money } from "#db/money.ts";
import { prorate, type QuoteLine } from "./quote.ts";

/** Stored data of a purchase, and the names of its taxes. */
export interface BreakdownInput {
  lines: readonly QuoteLine[];
  /** List price of a licence for a whole billing period; null if it was not stored. */
  full: Money | null;
  /** Paid share of a term; null for a whole one. */
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
 * Returns the steps in order. Lines, taxes and rounding always add up to the total. The list price appears only where it produces
 * the charged price: the first licences of a new sign-up have a separate price.
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
