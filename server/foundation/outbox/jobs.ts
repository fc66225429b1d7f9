/**
 * Adds jobs to the queue in the caller's transaction, so that a job exists exactly when its data does. Names and payloads are
 * typed here; the tasks are in server/operations/jobs/tasks.ts.
 */

import type { PaymentKey, ProviderAccount, ProviderPaymentKey } from "#db/billing/payment-keys.ts";
import type {
  CancellationId,
  DataExportId,
  InvitationId,
  MailId,
  OrderId,
  RefundId,
  SubscriptionId,
  UserId,
} from "#db/ids.ts";
import type { SyncedAccount } from "#db/orders/sync.ts";
import { insertJob } from "#db/platform/jobs.ts";
import type { ProviderEventKey } from "#db/platform/provider-events.ts";
import type { FamilyId } from "#db/tables/enums.ts";
import type { Trx } from "#db/tables/index.ts";

export interface JobPayloads {
  "fulfil-order": { orderId: OrderId };
  "settle-payment": PaymentKey;
  "refund-payment": { refundId: RefundId };
  "look-up-refunds": ProviderPaymentKey & ProviderAccount;
  "open-transfer": { intentId: string };
  "open-link": { intentId: string };
  "close-payment": { intentId: string };
  "renew-quote": { orderId: OrderId };
  "handle-provider-event": ProviderEventKey;
  "send-mail": { mailId: MailId };
  "mail-reset-link": { requestId: string; email: string };
  "check-invitation": { invitationId: InvitationId };
  "sync-account": SyncedAccount;
  "carry-out-cancellation": { cancellationId: CancellationId };
  "probe-vendor": { account: string };
  "stop-renewal": { subscriptionId: SubscriptionId };
  "refresh-subscription": { subscriptionId: SubscriptionId };
  "register-document": { number: string };
  "cancel-document": { number: string };
  "export-data": { exportId: DataExportId };
  "delete-account": { userId: UserId };
}
export type JobName = keyof JobPayloads;

/** Cron jobs have no payload. */
export const cronJobs = {
  /** Looks up begun but unreported payments at the payment provider. */
  "sweep-payments": "*/5 * * * *",
  /** Looks up open refunds at the payment provider. */
  "sweep-refunds": "37 * * * *",
  /** Asks payment providers for refunds and disputes that no webhook reported, and retries events that wait for their payment. */
  "sweep-reports": "52 * * * *",
  /** Mails resume links for abandoned drafts, and for paid orders that wait for sign-in. */
  "send-reminders": "*/10 * * * *",
  /** Begins next terms, and ends subscriptions whose last term has ended. */
  "turn-terms": "*/10 * * * *",
  /** Sends renewal reminders 30, 7 and 1 days before the end (docs/specification.md, section 9.2). */
  "remind-of-renewals": "27 * * * *",
  /** Reminds customers to accept a vendor's terms, on days 1, 3 and 7. */
  "remind-of-terms": "47 */6 * * *",
  /**
   * Refreshes all subscriptions from their vendors, and imports those bought elsewhere. At night in India, and in the evening in
   * the USA.
   */
  "sync-subscriptions": "41 22 * * *",
  /** Uses the consent of each partner account, and alerts the operator when a new consent is needed. */
  "refresh-partner-consents": "7 4 * * *",
  /** Reads the vendors' ids and plans of our items, and alerts the operator to changes. */
  "check-vendor-catalogue": "23 21 * * *",
  /** Registers documents that are not registered for GST yet. */
  "chase-documents": "37 * * * *",
  /** Reads payouts and vendors' bills, compares them with payments and invoices, and alerts the operator to differences. */
  "reconcile-money": "37 3 * * *",
  /** Deletes old drafts, used tokens, expired credentials, closed rate-limit windows. */
  "clean-up": "17 * * * *",
} as const;
export type CronJobName = keyof typeof cronJobs;

/**
 * Order of due jobs: lower numbers first, and the longest waiting first among equals. Paid orders come before mail, and mail
 * before background work.
 */
export const priorities: Readonly<Record<JobName | CronJobName, number>> = {
  "fulfil-order": -10,
  "settle-payment": -10,
  "handle-provider-event": -10,
  "check-invitation": -10,
  "carry-out-cancellation": -10,
  "probe-vendor": -10,
  "sweep-payments": -10,
  "refund-payment": -5,
  "look-up-refunds": -5,
  "open-transfer": -5,
  "open-link": -5,
  "close-payment": -5,
  "renew-quote": -5,
  "sweep-refunds": 5,
  "sweep-reports": 5,
  "turn-terms": -5,
  "register-document": 0,
  "cancel-document": 0,
  "mail-reset-link": 0,
  "send-mail": 0,
  "send-reminders": 5,
  "remind-of-renewals": 5,
  "remind-of-terms": 5,
  "stop-renewal": 10,
  "refresh-subscription": 5,
  "sync-subscriptions": 10,
  "sync-account": 10,
  "refresh-partner-consents": 10,
  "check-vendor-catalogue": 10,
  "chase-documents": 10,
  "reconcile-money": 10,
  "clean-up": 10,
  "export-data": 10,
  "delete-account": 10,
};
/** Priority of a mail that nobody is waiting for. */
export const lowMailPriority = 5;

/**
 * @param options.jobKey replaces a job with this key that has not started, so that at most one is waiting
 * @param options.delayMs the earliest start from now, in milliseconds, by the database's clock, which the queue uses
 * @param options.queueName jobs of one queue run in sequence, across all workers
 * @param options.priority overrides the job's own
 * @param options.vendor the vendor that it calls: a worker fills all but one of its slots with jobs of one vendor
 * (server/operations/jobs/vendor-concurrency.ts)
 * @param options.maxAttempts tries by the queue itself, with its own exponential back-off; default 25
 */
export async function addJob<Name extends JobName>(
  trx: Trx,
  name: Name,
  payload: JobPayloads[Name],
  options: {
    jobKey: string;
    delayMs?: number;
    maxAttempts?: number;
    queueName?: string;
    priority?: number;
    vendor?: FamilyId;
  },
): Promise<void> {
  await insertJob(trx, {
    name,
    payload,
    queueName: options.queueName ?? null,
    jobKey: options.jobKey,
    delayMs: options.delayMs ?? 0,
    maxAttempts: options.maxAttempts ?? 25,
    priority: options.priority ?? priorities[name],
    flags: options.vendor === undefined ? [] : [`vendor:${options.vendor}`],
  });
}
