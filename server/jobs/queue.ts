/**
 * The queue's front door: jobs are added in the caller's transaction, so that a job exists exactly when the facts it
 * acts on do. Names and payloads are typed here; what each does is in tasks.ts.
 */
import { sql } from "kysely";
import type { InvitationId, MailId, OrderId, SubscriptionId } from "#db/ids.ts";
import type { SyncedAccount } from "#db/sync.ts";
import type { Trx } from "#db/tables/index.ts";

export interface JobPayloads {
  "fulfil-order": { orderId: OrderId };
  "settle-payment": { providerOrderId: string; providerPaymentId: string };
  "handle-provider-event": { provider: string; eventId: string };
  "send-mail": { mailId: MailId };
  "mail-reset-link": { requestId: string; email: string };
  "check-invitation": { invitationId: InvitationId };
  "sync-account": SyncedAccount;
  "stop-renewal": { subscriptionId: SubscriptionId };
}
export type JobName = keyof JobPayloads;

/** Jobs that run by the clock; they carry no payload. */
export const cronJobs = {
  /** Unpaid orders older than 15 minutes are looked up at the payment provider (DESIGN section 5). */
  "sweep-payments": "*/5 * * * *",
  /** Resume links for drafts left behind and for paid orders that wait for sign-in. */
  "send-reminders": "*/10 * * * *",
  /** Subscriptions whose next term begins, or whose last one is over. */
  "turn-terms": "*/10 * * * *",
  /** Renewal reminders at 30, 7 and 1 days (DESIGN section 5). */
  "remind-of-renewals": "27 * * * *",
  /** Subscriptions bought elsewhere: at night in India, in the evening in the USA. */
  "sync-subscriptions": "41 22 * * *",
  /** Old drafts, spent tokens, shown credentials, closed rate-limit windows. */
  "clean-up": "17 * * * *",
} as const;
export type CronJobName = keyof typeof cronJobs;

/**
 * @param options.jobKey a job with this key that has not started is replaced, so there is at most one waiting
 * @param options.runAt not before then
 * @param options.queueName jobs of one queue run one after the other, whichever worker has them
 * @param options.maxAttempts tries by the queue itself, with its own exponential back-off; default 25
 */
export async function addJob<Name extends JobName>(
  trx: Trx,
  name: Name,
  payload: JobPayloads[Name],
  options: { jobKey?: string; runAt?: Date; maxAttempts?: number; queueName?: string } = {},
): Promise<void> {
  await sql`
    select graphile_worker.add_job(
      ${name}::text,
      payload => ${JSON.stringify(payload)}::json,
      queue_name => ${options.queueName ?? null}::text,
      job_key => ${options.jobKey ?? null}::text,
      run_at => ${options.runAt ?? null}::timestamptz,
      max_attempts => ${options.maxAttempts ?? 25}::int
    )`.execute(trx);
}
