/** Maps each job to its domain function, one line per job. Every payload is parsed before it is used. */
import type { JobHelpers, TaskList } from "graphile-worker";
import { z } from "zod";
import { saveClockJob } from "#db/clock-jobs.ts";
import {
  type CancellationId,
  type InvitationId,
  type MailId,
  type OrderId,
  parseId,
  type RefundId,
  type SubscriptionId,
} from "#db/ids.ts";
import { mailResetLink } from "#server/accounts/password-reset.ts";
import { carryOutCancellation } from "#server/cancellations/carry-out.ts";
import type { Context } from "#server/context.ts";
import { countryCodes } from "#server/countries/country.ts";
import { cancelAtPortal, chaseDocuments, registerDocument } from "#server/documents/registration.ts";
import { familiesWithTenants } from "#server/families/family.ts";
import { fulfilOrder } from "#server/fulfilment/fulfil.ts";
import { watchInvitation } from "#server/fulfilment/invitations.ts";
import { probeVendor } from "#server/fulfilment/pause.ts";
import { sendMail } from "#server/mail/send.ts";
import { countedJob } from "#server/metrics/job-runs.ts";
import { type CronJobName, cronJobs, type JobName } from "#server/outbox/jobs.ts";
import { refreshConsents } from "#server/partner-accounts/daily.ts";
import { openTransfer } from "#server/payments/bank-transfer/open.ts";
import { closePayment } from "#server/payments/close.ts";
import { openLink } from "#server/payments/payment-link/open.ts";
import { paymentProviderIds, providerOf } from "#server/payments/provider.ts";
import { refundPayment } from "#server/payments/refund.ts";
import { sweepRefunds } from "#server/payments/refund-sweep.ts";
import { settlePayment } from "#server/payments/settle.ts";
import { sweepPayments } from "#server/payments/sweep.ts";
import { handleProviderEvent } from "#server/payments/webhook.ts";
import { standardMethod } from "#server/pricing/payment-methods.ts";
import { duringTry } from "#server/providers/for-order.ts";
import { renewQuote } from "#server/quotes/quote.ts";
import { reconcile } from "#server/reconciliation/reconcile.ts";
import { stopRenewal } from "#server/subscriptions/auto-renewal.ts";
import { refreshSubscription } from "#server/subscriptions/refresh.ts";
import { remindOfRenewals } from "#server/subscriptions/reminders.ts";
import { queueSyncs, syncAccount } from "#server/subscriptions/sync.ts";
import { turnTerms } from "#server/subscriptions/terms.ts";
import { remindOfTerms } from "#server/subscriptions/terms-reminders.ts";
import { checkCatalogue } from "#server/vendor-catalogue/check.ts";
import { cleanUp } from "./clean-up.ts";
import { sendReminders } from "./reminders.ts";

const provider = z.enum(paymentProviderIds);
/** Jobs queued by an earlier version have no provider, or no account. */
const payment = z.object({
  provider: provider.default(providerOf[standardMethod]),
  account: z.enum(countryCodes).nullable().default(null),
  providerOrderId: z.string(),
  providerPaymentId: z.string(),
});
const begun = z.object({ intentId: z.string() });
const resetRequest = z.object({ requestId: z.string(), email: z.string() });
const account = z.object({ family: z.enum(familiesWithTenants), externalId: z.string() });
const document = z.object({ number: z.string() });
const vendorAccount = z.object({ account: z.string() });
const event = z.object({ provider, eventId: z.string() });

/** The tasks of a worker. The queue retries a task that throws, with growing delays. */
export function createTasks(context: Context): TaskList {
  const tasks: Record<JobName | CronJobName, (payload: unknown, attempt: number) => Promise<unknown>> = {
    "fulfil-order": (payload) => fulfilOrder(context, idIn<OrderId>(payload, "orderId")),
    "settle-payment": (payload) => settlePayment(context, payment.parse(payload)),
    "refund-payment": (payload) => refundPayment(context, idIn<RefundId>(payload, "refundId")),
    "open-transfer": (payload) => openTransfer(context, begun.parse(payload).intentId),
    "open-link": (payload) => openLink(context, begun.parse(payload).intentId),
    "close-payment": (payload) => closePayment(context, begun.parse(payload).intentId),
    "renew-quote": (payload) => renewQuote(context, idIn<OrderId>(payload, "orderId")),
    "handle-provider-event": (payload, attempt) =>
      handleProviderEvent(context, event.parse(payload), attempt),
    "send-mail": (payload) => sendMail(context, idIn<MailId>(payload, "mailId")),
    "mail-reset-link": (payload) => mailResetLink(context.db, resetRequest.parse(payload)),
    "check-invitation": (payload) => watchInvitation(context, idIn<InvitationId>(payload, "invitationId")),
    "carry-out-cancellation": (payload) =>
      carryOutCancellation(context, idIn<CancellationId>(payload, "cancellationId")),
    "probe-vendor": (payload) => probeVendor(context, vendorAccount.parse(payload).account),
    "stop-renewal": (payload) => stopRenewal(context, idIn<SubscriptionId>(payload, "subscriptionId")),
    "refresh-subscription": (payload) =>
      refreshSubscription(context, idIn<SubscriptionId>(payload, "subscriptionId")),
    "sync-account": (payload) => syncAccount(context, account.parse(payload)),
    "sweep-payments": () => sweepPayments(context),
    "sweep-refunds": () => sweepRefunds(context),
    "send-reminders": () => sendReminders(context),
    "turn-terms": () => turnTerms(context),
    "remind-of-renewals": () => remindOfRenewals(context),
    "remind-of-terms": () => remindOfTerms(context),
    "sync-subscriptions": () => queueSyncs(context),
    "refresh-partner-consents": () => refreshConsents(context),
    "check-vendor-catalogue": () => checkCatalogue(context),
    "register-document": (payload) => registerDocument(context, document.parse(payload).number),
    "cancel-document": (payload) => cancelAtPortal(context, document.parse(payload).number),
    "chase-documents": () => chaseDocuments(context),
    "reconcile-money": () => reconcile(context),
    "clean-up": () => cleanUp(context),
  };
  return Object.fromEntries(
    Object.entries(tasks).map(([name, run]) => [
      name,
      async (payload: unknown, { job }: JobHelpers) => {
        await countedJob(name, () => duringTry(job.attempts, () => run(payload, job.attempts)));
        if (name in cronJobs) await saveClockJob(context.db, name);
      },
    ]),
  );
}

function idIn<Id extends CancellationId | OrderId | MailId | InvitationId | SubscriptionId | RefundId>(
  payload: unknown,
  name: string,
): Id {
  const id = parseId<Id>(z.record(z.string(), z.unknown()).parse(payload)[name]?.toString());
  if (id === null) throw new TypeError(`A job's ${name} is not an id`);
  return id;
}
