/**
 * Finds payments that were not reported, because the browser was closed or the webhook was lost. Each begun payment has its own
 * schedule, soon at first and then less often, so that abandoned checkouts do not delay the discovery of a paid one.
 */
import { setTimeout as sleep } from "node:timers/promises";
import {
  claimLookup,
  type DueIntent,
  listDueIntents,
  postponeLookup,
  scheduleNextLookup,
} from "#db/billing/due-intents.ts";
import { findOpenIntent } from "#db/billing/payment-intents.ts";
import type { AccountOrderKey } from "#db/billing/payment-keys.ts";
import type { OrderId } from "#db/ids.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import type { Context } from "#server/platform/context.ts";
import { listUnconfiguredAccounts } from "./accounts.ts";
import { paymentProviders } from "./registry.ts";
import { settleQuietly } from "./reported-payment.ts";

const minute = 60;
const hour = 60 * minute;

/** Waits between lookups in seconds; the first lookup is 15 minutes after the payment was begun, and the last wait repeats. */
const waits = [30 * minute, hour, 3 * hour, 6 * hour, 12 * hour, 24 * hour] as const;
/** Failures in a row after which an account counts as unavailable until the next sweep. */
const maxQuietRounds = 5;
const batch = 100;
/** About as many as one sweep can look up before the next begins, which continues with the rest. */
const maxPerSweep = 1_000;

/** Runs the sweep. @returns how many payments were found */
export async function sweepPayments(context: Context): Promise<number> {
  let found = 0;
  const unanswered = new Map<string, number>();
  const silent = await listUnconfiguredAccounts(context);
  for (let looked = 0; looked < maxPerSweep; looked += batch) {
    const due = await listDueIntents(context.db, batch, silent);
    for (const intent of due) {
      const { provider, account } = intent;
      const name = `${provider} ${account}`;
      if (unanswered.get(name) === maxQuietRounds) continue;
      const count = await lookInItsTurn(context, intent);
      found += count ?? 0;
      unanswered.set(name, count === null ? (unanswered.get(name) ?? 0) + 1 : 0);
      if (unanswered.get(name) === maxQuietRounds) silent.push({ provider, account });
    }
    if (due.length < batch) break;
  }
  return found;
}

/**
 * Looks up an intent and schedules its next lookup. @returns how many payments were found; null when the provider did not
 * answer
 */
async function lookInItsTurn(
  context: Context,
  { id, looks, provider, account, providerOrderId }: DueIntent,
): Promise<number | null> {
  const { db, log } = context;
  let found = 0;
  try {
    found = await lookAt(context, { provider, account, providerOrderId });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ err: error, account, providerOrderId }, "an order's payments could not be looked up");
    if (error.kind !== "refused") {
      await postponeLookup(db, id);
      return null;
    }
  }
  const forDays = paymentProviders[provider].openForDays(context.env);
  await scheduleNextLookup(db, id, { inSeconds: waitAfter(looks), forDays });
  return found;
}

/** Adds jitter of 10% either way, so that intents begun together are not looked up together forever. */
function waitAfter(looks: number): number {
  const wait = waits[Math.min(looks, waits.length - 1)] ?? hour;
  return wait * (0.9 + 0.2 * Math.random());
}

/** Looks up and settles payments for an order whose intent is open. @throws ProviderError */
export async function lookUpPayments(context: Context, orderId: OrderId): Promise<void> {
  const intent = await findOpenIntent(context.db, orderId);
  if (intent === null || intent.providerOrderId === null) return;
  const { provider, account, providerOrderId } = intent;
  await lookAt(context, { provider, account, providerOrderId });
}

/** A page waits no longer than this. The lookup continues in the background. */
const pageWaitMs = 2_000;

/**
 * Looks up and settles payments for an order that is opened again, at most once a minute, so that a buyer who paid but did not
 * return is not asked to pay again.
 * @returns false when there was nothing to look up, or a lookup was made a moment ago
 */
export async function lookUpOnReopening(context: Context, orderId: OrderId): Promise<boolean> {
  const looks = (await claimLookup(context.db, orderId)).map((key) =>
    lookAt(context, key).catch((error: unknown) =>
      context.log.warn({ err: error, orderId }, "a reopened order's payments could not be looked up"),
    ),
  );
  if (looks.length === 0) return false;
  const late = new AbortController();
  await Promise.race([
    Promise.all(looks),
    sleep(pageWaitMs, undefined, { signal: late.signal }).catch(() => undefined),
  ]);
  late.abort();
  return true;
}

async function lookAt(context: Context, key: AccountOrderKey): Promise<number> {
  const payments = await paymentProviders[key.provider].listPayments(
    context,
    key.account,
    key.providerOrderId,
  );
  for (const payment of payments) {
    if (payment.status === "captured" || payment.status === "authorized") {
      await settleQuietly(context, { ...key, providerPaymentId: payment.id });
    }
  }
  return payments.length;
}
