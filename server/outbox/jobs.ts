/**
 * The queue's front door: jobs are added in the caller's transaction, so that a job exists exactly when the facts it
 * acts on do. Names and payloads are typed here; what each does is in tasks.ts.
 */
import type { InvitationId, MailId, OrderId, RefundId, SubscriptionId } from "#db/ids.ts";
import { insertJob } from "#db/jobs.ts";
import type { PaymentKey, ProviderEventKey } from "#db/payments.ts";
import type { SyncedAccount } from "#db/sync.ts";
import type { Trx } from "#db/tables/index.ts";

export interface JobPayloads {
  "fulfil-order": { orderId: OrderId };
  "settle-payment": PaymentKey;
  "refund-payment": { refundId: RefundId };
  "handle-provider-event": ProviderEventKey;
  "send-mail": { mailId: MailId };
  "mail-reset-link": { requestId: string; email: string };
  "check-invitation": { invitationId: InvitationId };
  "sync-account": SyncedAccount;
  "stop-renewal": { subscriptionId: SubscriptionId };
}
export type JobName = keyof JobPayloads;

/** Jobs that run by the clock; they carry no payload. */
export const cronJobs = {
  /** Payments that were begun and never reported are looked up at the payment provider. */
  "sweep-payments": "*/5 * * * *",
  /** Resume links for drafts left behind and for paid orders that wait for sign-in. */
  "send-reminders": "*/10 * * * *",
  /** Subscriptions whose next term begins, or whose last one is over. */
  "turn-terms": "*/10 * * * *",
  /** Renewal reminders at 30, 7 and 1 days (docs/specification.md, section 9.2). */
  "remind-of-renewals": "27 * * * *",
  /** Subscriptions bought elsewhere: at night in India, in the evening in the USA. */
  "sync-subscriptions": "41 22 * * *",
  /** Old drafts, spent tokens, shown credentials, closed rate-limit windows. */
  "clean-up": "17 * * * *",
} as const;
export type CronJobName = keyof typeof cronJobs;

/**
 * Which of the jobs that are due goes first: the lower number, and of equals the one that has waited longest. What was paid
 * for stands before mail, and mail before what nobody waits for.
 */
export const priorities: Readonly<Record<JobName | CronJobName, number>> = {
  "fulfil-order": -10,
  "settle-payment": -10,
  "handle-provider-event": -10,
  "check-invitation": -10,
  "sweep-payments": -10,
  "refund-payment": -5,
  "turn-terms": -5,
  "mail-reset-link": 0,
  "send-mail": 0,
  "send-reminders": 5,
  "remind-of-renewals": 5,
  "stop-renewal": 10,
  "sync-subscriptions": 10,
  "sync-account": 10,
  "clean-up": 10,
};
/** Of a mail that nobody sits and waits for. */
export const unhurried = 5;

/**
 * @param options.jobKey a job with this key that has not started is replaced, so there is at most one waiting
 * @param options.delayMs not before so long from now, by the database's clock, which is the one that the queue reads
 * @param options.queueName jobs of one queue run one after the other, whichever worker has them
 * @param options.priority instead of the job's own
 * @param options.maxAttempts tries by the queue itself, with its own exponential back-off; default 25
 */
export async function addJob<Name extends JobName>(
  trx: Trx,
  name: Name,
  payload: JobPayloads[Name],
  options: {
    jobKey?: string;
    delayMs?: number;
    maxAttempts?: number;
    queueName?: string;
    priority?: number;
  } = {},
): Promise<void> {
  await insertJob(trx, {
    name,
    payload,
    queueName: options.queueName ?? null,
    jobKey: options.jobKey ?? null,
    delayMs: options.delayMs ?? 0,
    maxAttempts: options.maxAttempts ?? 25,
    priority: options.priority ?? priorities[name],
  });
}
