/**
 * Ends a payment method that its provider refuses to open, such as a payment link. Every try would be refused, so it is not
 * retried: the buyer is led to another method, and the operator is alerted once per order. A provider that rejects our key ends
 * no method, and the operator is alerted once a day for the account.
 */

import { listRefusedProviders, type PaymentIntent, refuseIntent } from "#db/billing/payment-intents.ts";
import type { Order } from "#db/orders/order.ts";
import type { Db } from "#db/tables/index.ts";
import { queueOperatorAlert, queueOperatorVendorAlert } from "#server/foundation/outbox/mail.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { lockOrder } from "#server/orders/find.ts";
import type { Context } from "#server/platform/context.ts";
import type { PaymentMethod } from "#server/platform/settings/payments.ts";
import { paymentProviders, providerOf } from "./registry.ts";

const dayMs = 86_400_000;

/**
 * Runs the calls that open a payment.
 * @returns null when the provider refused; the intent is superseded then
 * @throws ProviderError when the provider does not answer or rejects our key; calling again is safe
 */
export async function openUnlessRefused<T>(
  context: Context,
  intent: PaymentIntent,
  open: () => Promise<T>,
): Promise<T | null> {
  try {
    return await open();
  } catch (error) {
    if (isMisconfigured(error)) await alertOfMisconfiguration(context, intent, error);
    if (!(error instanceof ProviderError && error.kind === "refused")) throw error;
    context.log.warn(
      { err: error, orderId: intent.orderId, description: error.description },
      "a way to pay was refused",
    );
    await recordRefusal(context, intent, error);
    return null;
  }
}

/** Whether a provider rejects our key or our account, so that nobody can pay there. */
export function isMisconfigured(error: unknown): error is ProviderError {
  return error instanceof ProviderError && error.kind === "misconfigured";
}

async function alertOfMisconfiguration(
  { db, log }: Context,
  { provider, account }: PaymentIntent,
  error: ProviderError,
): Promise<void> {
  log.error(
    { err: error, provider, account, description: error.description },
    "a payment provider rejects our key",
  );
  const at = `${paymentProviders[provider].system}:${account}`;
  await db.transaction().execute((trx) =>
    queueOperatorVendorAlert(trx, {
      // Once per day.
      dedupeKey: `payments-misconfigured:${at}:${new Date().toISOString().slice(0, 10)}`,
      subject: `Payments don't work: ${at} rejects our key`,
      what: `${error.description ?? error.message} No order can be paid at ${at}. Buyers read that payments don't work at the moment.`,
      toDo: [
        'Correct the key or the account: see "A payment provider rejects our key" in docs/operate/runbooks.md. No order has to be changed.',
      ],
    }),
  );
}

async function recordRefusal({ db }: Context, intent: PaymentIntent, error: ProviderError): Promise<void> {
  const { name } = paymentProviders[intent.provider];
  await db.transaction().execute(async (trx) => {
    await lockOrder(trx, intent.orderId);
    await refuseIntent(trx, intent.id);
    await queueOperatorAlert(trx, {
      dedupeKey: `payment-refused:${intent.provider}:${intent.orderId}`,
      orderId: intent.orderId,
      what: `${name} can't be opened for the order: ${error.description ?? error.message} We offer the buyer the other ways to pay.`,
      toDo: [`Correct what ${name} rejects: the account's settings, or the buyer's details.`],
    });
  });
}

/** Whether a method for an order's total was refused within the last day, so that it is not offered again. */
export async function isWayRefused(
  db: Db,
  { id, total }: Pick<Order, "id" | "total">,
  method: PaymentMethod,
  now = new Date(),
): Promise<boolean> {
  const since = new Date(now.getTime() - dayMs);
  const refused = await listRefusedProviders(db, { orderId: id, amountMinor: total.minor, since });
  return refused.includes(providerOf[method]);
}
