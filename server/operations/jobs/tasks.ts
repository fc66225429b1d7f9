/** Maps each job to its domain function, one line per job. Every payload is parsed before it is used. */
import type { JobHelpers, TaskList } from "graphile-worker";
import { z } from "zod";
import {
  type CancellationId,
  type DataExportId,
  type InvitationId,
  type MailId,
  type OrderId,
  parseId,
  type RefundId,
  type SubscriptionId,
  type UserId,
} from "#db/ids.ts";
import { recordCronRun } from "#db/platform/cron-runs.ts";
import { queueResetMail } from "#server/accounts/password-reset.ts";
import { carryOutCancellation } from "#server/billing/cancellations/carry-out.ts";
import { cancelAtPortal } from "#server/billing/documents/cancel-registration.ts";
import { registerDocument } from "#server/billing/documents/register-document.ts";
import { retryUnregisteredDocuments } from "#server/billing/documents/retry-unregistered.ts";
import { openTransfer } from "#server/billing/payments/bank-transfer/open-account.ts";
import { closePayment } from "#server/billing/payments/close.ts";
import { createPaymentLink } from "#server/billing/payments/payment-link/create-link.ts";
import { refundPayment } from "#server/billing/payments/refund.ts";
import { lookUpRefunds } from "#server/billing/payments/refund-reports.ts";
import { sweepRefunds } from "#server/billing/payments/refund-sweep.ts";
import { paymentProviderIds, providerOf } from "#server/billing/payments/registry.ts";
import { sweepReports } from "#server/billing/payments/report-sweep.ts";
import { settlePayment } from "#server/billing/payments/settle.ts";
import { sweepPayments } from "#server/billing/payments/sweep.ts";
import { handleProviderEvent } from "#server/billing/payments/webhook.ts";
import { renewQuote } from "#server/billing/quotes/quote.ts";
import { reconcile } from "#server/billing/reconciliation/reconcile.ts";
import { familiesWithTenants } from "#server/catalogue/families/registry.ts";
import { refreshConsents } from "#server/catalogue/partner-accounts/refresh-consents.ts";
import { standardMethod } from "#server/catalogue/pricing/payment-methods.ts";
import { checkCatalogue } from "#server/desk/vendor-catalogue/check.ts";
import { countryCodes } from "#server/foundation/countries/registry.ts";
import { type CronJobName, cronJobs, type JobName } from "#server/foundation/outbox/jobs.ts";
import { fulfilOrder } from "#server/fulfilment/fulfil.ts";
import { watchInvitation } from "#server/fulfilment/partner-invitations.ts";
import { probeVendor } from "#server/fulfilment/pause.ts";
import { runForAttempt } from "#server/integrations/call-attribution.ts";
import { countedJob } from "#server/integrations/metrics/job-runs.ts";
import { sendMail } from "#server/mail/send.ts";
import { advanceTerms } from "#server/orders/subscriptions/advance-terms.ts";
import { stopRenewal } from "#server/orders/subscriptions/auto-renewal.ts";
import { refreshSubscription } from "#server/orders/subscriptions/refresh.ts";
import { sendRenewalReminders } from "#server/orders/subscriptions/renewal-reminders.ts";
import { queueSyncs, syncAccount } from "#server/orders/subscriptions/sync.ts";
import { sendTermsReminders } from "#server/orders/subscriptions/terms-reminders.ts";
import type { Context } from "#server/platform/context.ts";
import { deleteAccount } from "#server/privacy/delete.ts";
import { exportData } from "#server/privacy/export.ts";
import { cleanUp } from "./clean-up.ts";
import { sendReminders } from "./order-reminders.ts";

const provider = z.enum(paymentProviderIds);
/** Jobs queued by an earlier version have no provider, or no account. */
const payment = z.object({
  provider: provider.default(providerOf[standardMethod]),
  account: z.enum(countryCodes).nullable().default(null),
  providerOrderId: z.string(),
  providerPaymentId: z.string(),
});
const paidWith = payment.omit({ providerOrderId: true });
const begun = z.object({ intentId: z.string() });
const resetRequest = z.object({ requestId: z.string(), email: z.string() });
const account = z.object({ family: z.enum(familiesWithTenants), externalId: z.string() });
const document = z.object({ number: z.string() });
const vendorAccount = z.object({ account: z.string() });
const event = z.object({ provider, eventId: z.string() });

/** Creates a worker's tasks. The queue retries a task that throws, with growing delays. */
export function createTasks(context: Context): TaskList {
  const tasks: Record<JobName | CronJobName, (payload: unknown, attempt: number) => Promise<unknown>> = {
    "fulfil-order": (payload) => fulfilOrder(context, idIn<OrderId>(payload, "orderId")),
    "settle-payment": (payload) => settlePayment(context, payment.parse(payload)),
    "refund-payment": (payload) => refundPayment(context, idIn<RefundId>(payload, "refundId")),
    "look-up-refunds": (payload) => lookUpRefunds(context, paidWith.parse(payload)),
    "open-transfer": (payload) => openTransfer(context, begun.parse(payload).intentId),
    "open-link": (payload) => createPaymentLink(context, begun.parse(payload).intentId),
    "close-payment": (payload) => closePayment(context, begun.parse(payload).intentId),
    "renew-quote": (payload) => renewQuote(context, idIn<OrderId>(payload, "orderId")),
    "handle-provider-event": (payload, attempt) =>
      handleProviderEvent(context, event.parse(payload), attempt),
    "send-mail": (payload) => sendMail(context, idIn<MailId>(payload, "mailId")),
    "mail-reset-link": (payload) => queueResetMail(context.db, resetRequest.parse(payload)),
    "check-invitation": (payload) => watchInvitation(context, idIn<InvitationId>(payload, "invitationId")),
    "carry-out-cancellation": (payload) =>
      carryOutCancellation(context, idIn<CancellationId>(payload, "cancellationId")),
    "probe-vendor": (payload) => probeVendor(context, vendorAccount.parse(payload).account),
    "stop-renewal": (payload) => stopRenewal(context, idIn<SubscriptionId>(payload, "subscriptionId")),
    "refresh-subscription": (payload) =>
      refreshSubscription(context, idIn<SubscriptionId>(payload, "subscriptionId")),
    "sync-account": (payload) => syncAccount(context, account.parse(payload)),
    "export-data": (payload) => exportData(context, idIn<DataExportId>(payload, "exportId")),
    "delete-account": (payload) => deleteAccount(context, idIn<UserId>(payload, "userId")),
    "sweep-payments": () => sweepPayments(context),
    "sweep-refunds": () => sweepRefunds(context),
    "sweep-reports": () => sweepReports(context),
    "send-reminders": () => sendReminders(context),
    "turn-terms": () => advanceTerms(context),
    "remind-of-renewals": () => sendRenewalReminders(context),
    "remind-of-terms": () => sendTermsReminders(context),
    "sync-subscriptions": () => queueSyncs(context),
    "refresh-partner-consents": () => refreshConsents(context),
    "check-vendor-catalogue": () => checkCatalogue(context),
    "register-document": (payload) => registerDocument(context, document.parse(payload).number),
    "cancel-document": (payload) => cancelAtPortal(context, document.parse(payload).number),
    "chase-documents": () => retryUnregisteredDocuments(context),
    "reconcile-money": () => reconcile(context),
    "clean-up": () => cleanUp(context),
  };
  return Object.fromEntries(
    Object.entries(tasks).map(([name, run]) => [
      name,
      async (payload: unknown, { job }: JobHelpers) => {
        await countedJob(name, () => runForAttempt(job.attempts, () => run(payload, job.attempts)));
        if (name in cronJobs) await recordCronRun(context.db, name);
      },
    ]),
  );
}

type IdOfPayload =
  | CancellationId
  | DataExportId
  | InvitationId
  | MailId
  | OrderId
  | RefundId
  | SubscriptionId
  | UserId;

function idIn<Id extends IdOfPayload>(payload: unknown, name: string): Id {
  const id = parseId<Id>(z.record(z.string(), z.unknown()).parse(payload)[name]?.toString());
  if (id === null) throw new TypeError(`A job's ${name} is not an id`);
  return id;
}
