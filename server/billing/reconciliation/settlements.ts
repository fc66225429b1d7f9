/**
 * Reads the payouts of payment providers, by day and account. A day counts as read once it is over and all its lines are
 * stored, so an interrupted run continues where it stopped; a line that is read twice is stored once.
 */
import type { ProviderAccount } from "#db/billing/payment-keys.ts";
import { firstPaymentAt, markDayRead, readDayRange, saveSettlementLines } from "#db/billing/settlements.ts";
import { paymentProviderIds, paymentProviders } from "#server/billing/payments/registry.ts";
import type { Context } from "#server/platform/context.ts";
import { daysBetween, daysLater, utcDay } from "./days.ts";

/** Days to read again, because lines may be added after a day. */
const daysReadAgain = 3;
/** Days to read in the first run. */
const daysAtFirst = 90;

/** Lists the accounts with settings at providers with payouts. */
export function settlementAccounts({ env }: Pick<Context, "env">): ProviderAccount[] {
  return paymentProviderIds
    .filter((provider) => paymentProviders[provider].listSettled !== null)
    .flatMap((provider) =>
      paymentProviders[provider].accounts(env).map((account) => ({ provider, account })),
    );
}

/**
 * Reads every unread day, and the last ones again.
 * @returns how many lines were new
 * @throws ProviderError; the earlier days are stored
 */
export async function readSettlements(
  context: Context,
  account: ProviderAccount,
  now: Date,
): Promise<number> {
  const first = await firstDay(context, account, now);
  if (first === null) return 0;
  let stored = 0;
  for (const day of daysBetween(first, utcDay(now))) stored += await readDay(context, account, day, now);
  return stored;
}

/** Returns the first day to read; null before the account's first payment. */
async function firstDay({ db }: Context, account: ProviderAccount, now: Date): Promise<string | null> {
  const read = await readDayRange(db, account);
  if (read !== null) return utcDay(daysLater(new Date(read.last), 1 - daysReadAgain));
  const paidAt = await firstPaymentAt(db, account);
  if (paidAt === null) return null;
  return [utcDay(paidAt), utcDay(daysLater(now, -daysAtFirst))].toSorted().at(-1) ?? null;
}

/** Reads a day. @param day "2026-11-24" @returns how many lines were new @throws ProviderError */
export async function readDay(
  context: Context,
  { provider, account }: ProviderAccount,
  day: string,
  now: Date,
): Promise<number> {
  const { db } = context;
  const { listSettled } = paymentProviders[provider];
  if (listSettled === null) return 0;
  let stored = 0;
  for (let skip: number | null = 0; skip !== null; ) {
    const page = await listSettled(context, account, day, skip);
    stored += await db
      .transaction()
      .execute((trx) => saveSettlementLines(trx, { provider, account }, page.lines));
    skip = page.next;
  }
  if (day < utcDay(now)) await markDayRead(db, { provider, account }, day);
  return stored;
}
