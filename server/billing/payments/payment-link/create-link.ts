/**
 * Creates the payment link of an order. The transaction that begins the payment adds the job; the waiting page or the job then
 * creates the link, whichever is first, and queues the mail.
 */

import {
  findIntent,
  findOpenIntent,
  type PaymentIntent,
  supersedeOpenIntents,
} from "#db/billing/payment-intents.ts";
import {
  findFormerLink,
  findPaymentLink,
  insertPaymentLink,
  reopenIntent,
} from "#db/billing/payment-links.ts";
import type { Order } from "#db/orders/order.ts";
import type { Trx } from "#db/tables/index.ts";
import { addJob } from "#server/foundation/outbox/jobs.ts";
import { queueOwnMail } from "#server/foundation/outbox/mail.ts";
import { forOrder } from "#server/integrations/call-attribution.ts";
import { lockOrder } from "#server/orders/find.ts";
import { queueClosePayment } from "#server/orders/superseded-payments.ts";
import type { Context } from "#server/platform/context.ts";
import { ensureProviderOrder } from "../intents.ts";
import { serializePaidFor } from "../paid-for.ts";
import { openUnlessRefused } from "../refused-way.ts";
import { paymentProviders } from "../registry.ts";

const provider = "payment-link";

/** Queues the creation of the link of an open intent. */
export async function requestPaymentLink(trx: Trx, { id: intentId }: PaymentIntent): Promise<void> {
  await addJob(trx, "open-link", { intentId }, { jobKey: `link:${intentId}` });
}

/**
 * Reuses an order's link for the same price: reopens one that another payment method superseded, and supersedes an expired one.
 * The caller holds the order's lock.
 */
export async function reusePaymentLink(trx: Trx, order: Order, now: Date): Promise<void> {
  const open = await findOpenIntent(trx, order.id);
  if (open?.provider === provider) {
    const link = await findPaymentLink(trx, open.id);
    if (link !== null && link.expiresAt <= now) await supersedeOpenIntents(trx, order.id);
    return;
  }
  const former = await findFormerLink(trx, {
    provider,
    account: order.country,
    orderId: order.id,
    amountMinor: order.total.minor,
    paidFor: serializePaidFor(order),
    now,
  });
  if (former === null) return;
  await supersedeOpenIntents(trx, order.id);
  await reopenIntent(trx, former);
}

/**
 * Creates the link of an intent, unless it has one, and mails it. Safe to call concurrently. A superseded intent gets no link,
 * and a link created for it is closed. A refusal ends this payment method for the order (refused-way.ts).
 * @throws ProviderError when the provider does not answer; calling again is safe
 */
export async function createPaymentLink(context: Context, intentId: string): Promise<void> {
  const { db } = context;
  const intent = await findIntent(db, { id: intentId });
  if (intent === null || (await findPaymentLink(db, intentId)) !== null) return;
  const link = await openUnlessRefused(context, intent, () =>
    forOrder(intent.orderId, async () => {
      const isMade =
        intent.providerOrderId !== null ||
        (await paymentProviders[provider].findOrder(context, intent.account, intent.receipt)) !== null;
      if (intent.status !== "open" && !isMade) return null;
      const id = await ensureProviderOrder(context, intent);
      return context.razorpayOf(intent.account).getPaymentLink(id);
    }),
  );
  if (link === null) return;
  const { url, expiresAt } = link;
  await db.transaction().execute(async (trx) => {
    const { account, userId } = await lockOrder(trx, intent.orderId);
    const isFirst = await insertPaymentLink(trx, { intentId, url, expiresAt });
    // The order may have changed, or been paid, while the link was created.
    const now = await findIntent(trx, { id: intentId });
    if (now?.isClosed === true) return queueClosePayment(trx, intentId);
    if (now?.status !== "open" || !isFirst || account === null) return;
    await queueOwnMail(trx, {
      kind: "payment-link",
      dedupeKey: `payment-link:${intentId}`,
      userId,
      orderId: intent.orderId,
      data: { intentId },
    });
  });
}
