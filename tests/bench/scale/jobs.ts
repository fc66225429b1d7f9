/**
 * Cron jobs measured in stores of all sizes, each with the same work: everything due is postponed, and then a few rows of each
 * kind are made due. A job in a large store must not read more than in a small one.
 */
import { sql } from "kysely";
import type { Db } from "#db/tables/index.ts";
import { retryUnregisteredDocuments } from "#server/billing/documents/retry-unregistered.ts";
import { sweepRefunds } from "#server/billing/payments/refund-sweep.ts";
import { sweepReports } from "#server/billing/payments/report-sweep.ts";
import { sweepPayments } from "#server/billing/payments/sweep.ts";
import type { CronJobName } from "#server/foundation/outbox/jobs.ts";
import { cleanUp } from "#server/operations/jobs/clean-up.ts";
import { createJudge } from "#server/operations/jobs/heartbeats.ts";
import { sendReminders } from "#server/operations/jobs/order-reminders.ts";
import { advanceTerms } from "#server/orders/subscriptions/advance-terms.ts";
import { sendRenewalReminders } from "#server/orders/subscriptions/renewal-reminders.ts";
import { queueSyncs } from "#server/orders/subscriptions/sync.ts";
import { sendTermsReminders } from "#server/orders/subscriptions/terms-reminders.ts";
import type { Context } from "#server/platform/context.ts";
import type { PlanRead } from "#tests/support/plan-tap.ts";

/**
 * Jobs whose reads do not depend on orders: one queries partner accounts, one plans. The reconciliation has a separate test
 * (tests/drill/scale.drill.ts), because its data comes from the vendors.
 */
type ReadsNoOrders = "refresh-partner-consents" | "check-vendor-catalogue" | "reconcile-money";
type MeasuredJob = "heartbeat" | Exclude<CronJobName, ReadsNoOrders>;

/** Jobs by name; each handles everything due now. */
export const jobs: Readonly<Record<MeasuredJob, (context: Context) => Promise<unknown>>> = {
  heartbeat: ({ db }) => createJudge(db, 60_000, new Set())(),
  "sweep-payments": sweepPayments,
  "sweep-refunds": (context) => sweepRefunds(context),
  "sweep-reports": (context) => sweepReports(context),
  "send-reminders": (context) => sendReminders(context),
  "turn-terms": (context) => advanceTerms(context),
  "remind-of-renewals": (context) => sendRenewalReminders(context),
  "remind-of-terms": (context) => sendTermsReminders(context),
  "sync-subscriptions": (context) => queueSyncs(context),
  "chase-documents": retryUnregisteredDocuments,
  "clean-up": (context) => cleanUp(context),
};

/**
 * Rows read by a job. Ignores the look-up of a task when a job is queued: that table has one row per task, and PostgreSQL scans
 * it or uses its index depending on its statistics.
 */
export function rowsOf(plans: readonly PlanRead[]): number {
  return plans
    .filter(({ sql: statement }) => !/insert into "graphile_worker"\._private_jobs/.test(statement))
    .reduce((sum, { touched }) => sum + touched, 0);
}

/** Number of rows of each kind that are made due. */
export const dueOfEach = 5;

/** Postpones everything due in a filled store, or due soon, as if it were done. @param db where each job has run once */
export async function putOff(db: Db): Promise<void> {
  await sql`update payment_intents set next_look_at = now() + interval '1 day' where next_look_at is not null`.execute(
    db,
  );
  await sql`update refunds set looked_at = now() where status in ('requested', 'pending')`.execute(db);
  await sql`
    update orders set resume_mailed_at = now()
    where payment_status in ('none', 'pending', 'failed') and resume_mailed_at is null`.execute(db);
  await sql`update orders set reminders_sent = 4 where fulfilment_status = 'waiting_for_signin'`.execute(db);
  await sql`update orders set updated_at = now() where payment_status = 'none' and user_id is null`.execute(
    db,
  );
  await sql`
    update subscriptions set reminded_end = end_date, reminded_days = 1
    where status = 'active' and end_date < now() + interval '61 days'`.execute(db);
  await sql`
    update subscriptions set status = 'expired' where status = 'active' and end_date < now() + interval '1 hour'`.execute(
    db,
  );
  await sql`
    update subscriptions set start_date = start_date - interval '10 days' where start_date > now() - interval '10 days'`.execute(
    db,
  );
  await sql`update tenants set sync_asked_at = now() + interval '1 day'`.execute(db);
  await sql`update e_invoices set next_try_at = now() where state = 'pending'`.execute(db);
  await sql`update e_invoices set late_told_at = now() where state in ('pending', 'failed')`.execute(db);
  await sql`update proformas set certified = true where withheld_minor > 0`.execute(db);
  // A run deletes only a limited number of expired rows.
  await sql`delete from provider_calls where at > now() - interval '3 hours' or at < now() - interval '90 days'`.execute(
    db,
  );
}

/** Gives each job the same work. @param db after `putOff` */
export async function makeDue(db: Db): Promise<void> {
  const some = (rows: ReturnType<typeof sql>) => sql`id in (select id from ${rows} limit ${dueOfEach})`;
  await sql`
    update payment_intents set next_look_at = now() - interval '1 minute'
    where ${some(sql`payment_intents where status = 'open' order by created_at desc`)}`.execute(db);
  await sql`
    update orders set resume_mailed_at = null, updated_at = now() - interval '3 hours'
    where ${some(sql`orders where payment_status = 'pending' and user_id is not null order by created_at desc`)}`.execute(
    db,
  );
  const running = (place: number) =>
    some(sql`(
      select id, row_number() over (order by end_date desc, id) as place from subscriptions
      where status = 'active' and order_id is not null and next_term_start is null and changing_order_id is null and not suspended
    ) s where place > ${place}`);
  await sql`update subscriptions set end_date = now() + interval '29 days' where ${running(0)}`.execute(db);
  await sql`update subscriptions set end_date = now() - interval '1 hour' where ${running(dueOfEach)}`.execute(
    db,
  );
  await sql`
    update subscriptions set start_date = now() - interval '25 hours'
    where ${some(sql`subscriptions where status = 'active' and family = 'google' and order_id is not null order by end_date desc`)}`.execute(
    db,
  );
  await sql`update tenants set sync_asked_at = null where ${some(sql`tenants order by created_at desc`)}`.execute(
    db,
  );
  await sql`
    update sessions set expires_at = now() - interval '31 days'
    where ${some(sql`sessions order by created_at`)}`.execute(db);
  await sql`
    update orders set updated_at = now() - interval '31 days'
    where ${some(sql`orders where payment_status = 'none' and user_id is null order by created_at`)}`.execute(
    db,
  );
  await sql`
    update refunds set status = 'pending', looked_at = now() - interval '2 days'
    where ${some(sql`refunds where status = 'processed' order by created_at desc`)}`.execute(db);
  await sql`
    update e_invoices set state = 'failed', late_told_at = null
    where number in (select number from e_invoices where state = 'final' order by issued_at limit ${dueOfEach})`.execute(
    db,
  );
  await sql`analyze`.execute(db);
}
