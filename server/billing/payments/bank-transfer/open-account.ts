/**
 * Opens the virtual account of a proforma. The transaction that begins the payment issues the proforma and adds the job; the
 * waiting page or the job then opens the account, whichever is first, and queues the mail.
 */

import {
  findIntent,
  findOpenIntent,
  type PaymentIntent,
  supersedeOpenIntents,
} from "#db/billing/payment-intents.ts";
import { setBankAccount } from "#db/billing/proformas.ts";
import type { OrderId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import type { Trx } from "#db/tables/index.ts";
import { listCopyRecipients, queueCopies } from "#server/billing/documents/copies.ts";
import { findProformaOf, issueProforma } from "#server/billing/documents/proforma.ts";
import { addJob } from "#server/foundation/outbox/jobs.ts";
import { queueOwnMail } from "#server/foundation/outbox/mail.ts";
import { forOrder } from "#server/integrations/call-attribution.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { findOrder } from "#server/orders/find.ts";
import type { Context } from "#server/platform/context.ts";
import { ensureProviderOrder } from "../intents.ts";
import { openUnlessRefused } from "../refused-way.ts";

/** Issues the proforma of an open intent, and queues the opening of its account. */
export async function requestTransfer(
  { env }: Context,
  trx: Trx,
  order: Order,
  { id: intentId }: PaymentIntent,
  now: Date,
): Promise<void> {
  await addJob(trx, "open-transfer", { intentId }, { jobKey: `transfer:${intentId}` });
  await issueProforma(trx, env, { order, intentId, validDays: env.PROFORMA_DAYS, now });
}

/**
 * Supersedes an order's open intent with an expired proforma, so that the next proforma has the current price. The caller holds
 * the order's lock.
 */
export async function supersedeExpiredProforma(trx: Trx, orderId: OrderId, now: Date): Promise<void> {
  const open = await findOpenIntent(trx, orderId);
  const proforma = open === null ? null : await findProformaOf(trx, open.id);
  if (proforma !== null && proforma.validUntil < now) await supersedeOpenIntents(trx, orderId);
}

/**
 * Opens the virtual account of an intent, unless it is open. Safe to call concurrently. A refusal ends this payment method for
 * the order (refused-way.ts).
 * @throws ProviderError when the provider does not answer; calling again is safe
 */
export async function openTransfer(context: Context, intentId: string): Promise<void> {
  const { db } = context;
  const intent = await findIntent(db, { id: intentId });
  const proforma = await findProformaOf(db, intentId);
  if (intent === null || proforma === null || proforma.bank !== null) return;
  const bank = await openUnlessRefused(context, intent, () =>
    forOrder(intent.orderId, async () => {
      const id = await ensureProviderOrder(context, intent);
      const opened = await context.razorpayOf(intent.account).getVirtualAccount(id);
      if (opened.bank === null)
        throw new ProviderError("razorpay", "refused", "a virtual account", { code: "no_bank" });
      return opened.bank;
    }),
  );
  if (bank === null) return;
  const order = await findOrder(db, intent.orderId);
  await db.transaction().execute(async (trx) => {
    const isFirst = await setBankAccount(trx, proforma.number, bank);
    if (!isFirst || order?.account == null) return;
    await queueCopies(
      trx,
      { orderId: order.id, number: proforma.number, kind: "proforma" },
      await listCopyRecipients(trx, order, "proforma"),
    );
    await queueOwnMail(trx, {
      kind: "proforma",
      dedupeKey: `proforma:${proforma.number}`,
      userId: order.userId,
      orderId: order.id,
      data: { intentId },
    });
  });
}
