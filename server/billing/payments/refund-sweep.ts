/**
 * Looks up refunds whose result was not reported, because the webhook was lost or the job was given up. Each once a day,
 * because a refund takes days.
 */
import { listOpenRefunds, markChecked, type Refund } from "#db/billing/refunds.ts";
import { addJob } from "#server/foundation/outbox/jobs.ts";
import { queueOperatorAlert } from "#server/foundation/outbox/mail.ts";
import { forOrder } from "#server/integrations/call-attribution.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import type { Context } from "#server/platform/context.ts";
import { applyRefundReport } from "./refund-reports.ts";
import { paymentProviders } from "./registry.ts";

const dayMs = 86_400_000;
const maxPerSweep = 200;
/** Providers need up to seven working days (docs/providers.md, section 3.3). */
const usualDays = 10;

/** Runs the sweep. @returns how many refunds were looked up */
export async function sweepRefunds(context: Context, now = new Date()): Promise<number> {
  const notSince = new Date(now.getTime() - dayMs);
  const open = await listOpenRefunds(context.db, { notSince, limit: maxPerSweep });
  for (const refund of open) {
    await markChecked(context.db, refund.id);
    try {
      await lookUp(context, refund, now);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      context.log.warn({ err: error, refundId: refund.id }, "a refund could not be looked up");
    }
  }
  return open.length;
}

async function lookUp(context: Context, refund: Refund, now: Date): Promise<void> {
  const { id, provider, account, providerPaymentId, orderId, createdAt } = refund;
  const all = await forOrder(orderId, () =>
    paymentProviders[provider].listRefunds(context, account, providerPaymentId),
  );
  for (const report of all) await applyRefundReport(context, { provider, account }, report);
  const isKnown = all.some((report) => report.key === id || report.id === refund.providerRefundId);
  const days = Math.floor((now.getTime() - createdAt.getTime()) / dayMs);
  await context.db.transaction().execute(async (trx) => {
    // The job key prevents a second job for it.
    if (!isKnown && refund.status === "requested")
      await addJob(trx, "refund-payment", { refundId: id }, { jobKey: `refund:${id}` });
    const isOver = all.some(
      (report) => (report.key === id || report.id === refund.providerRefundId) && report.status !== "pending",
    );
    if (isOver || days < usualDays) return;
    await queueOperatorAlert(trx, {
      dedupeKey: `refund-slow:${id}`,
      orderId,
      what: `The refund of payment ${providerPaymentId} hasn't completed after ${days} days.`,
      toDo: [`Ask ${paymentProviders[provider].name}'s support about it.`],
    });
  });
}
