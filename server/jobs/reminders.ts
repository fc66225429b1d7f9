/**
 * Resume links by mail: for a draft left behind, and for a paid order that still waits for sign-in (docs/specification.md, section
 * 9.3).
 */

import type { Db } from "#db/tables/index.ts";
import type { Context } from "#server/context.ts";
import { queueMail, queueOperatorAlert } from "#server/outbox/mail.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A draft nobody has touched for this long was left, not paused. */
const leftAfterMs = 2 * hourMs;
/** Paid and not signed in: the buyer hears after each of these, then the operator. */
const signInReminders = [hourMs, dayMs, 3 * dayMs] as const;
const operatorAfterMs = 7 * dayMs;
const moments = [...signInReminders, operatorAfterMs];
const batch = 100;
/** The rest is written to by the next run, ten minutes later. */
const mostBatches = 20;

/** @returns how many mails were asked for; each goes out once, whatever this runs into */
export async function sendReminders(context: Context, now = new Date()): Promise<number> {
  let asked = 0;
  for (const once of [remindDrafts, remindSignIns]) {
    for (let run = 0; run < mostBatches; run += 1) {
      const count = await once(context, now);
      asked += count;
      if (count < batch) break;
    }
  }
  return asked;
}

async function remindDrafts({ db }: Context, now: Date): Promise<number> {
  const drafts = await listDraftsLeft(db, now);
  for (const draft of drafts) {
    await db.transaction().execute(async (trx) => {
      await trx.updateTable("orders").set({ resume_mailed_at: now }).where("id", "=", draft.id).execute();
      await queueMail(trx, {
        kind: "resume-order",
        dedupeKey: `resume-order:${draft.id}`,
        recipient: draft.email,
        userId: draft.user_id,
        orderId: draft.id,
      });
    });
  }
  return drafts.length;
}

/** Drafts whose buyer is to be written to, by the index of those left behind. */
export function listDraftsLeft(db: Db, now: Date) {
  return (
    db
      .selectFrom("orders")
      .innerJoin("users", "users.id", "orders.user_id")
      .select(["orders.id", "orders.user_id", "users.email"])
      .where("orders.payment_status", "in", ["none", "pending", "failed"])
      .where("orders.resume_mailed_at", "is", null)
      .where("orders.removed_at", "is", null)
      .where("orders.updated_at", "<", new Date(now.getTime() - leftAfterMs))
      .where("orders.updated_at", ">", new Date(now.getTime() - 7 * dayMs))
      // The one left longest ago first: after a pause of the job, those about to be too old are still written to.
      .orderBy("orders.updated_at")
      .limit(batch)
      .execute()
  );
}

async function remindSignIns({ db }: Context, now: Date): Promise<number> {
  const waiting = await db
    .selectFrom("orders")
    .innerJoin("users", "users.id", "orders.user_id")
    .select(["orders.id", "orders.user_id", "orders.paid_at", "orders.reminders_sent", "users.email"])
    .where("orders.fulfilment_status", "=", "waiting_for_signin")
    // Due ones only: a batch filled with those that wait for their next moment would let nobody else in.
    .where(({ or, and, eb }) =>
      or(
        moments.map((after, sent) =>
          and([
            eb("orders.reminders_sent", "<=", sent),
            eb("orders.paid_at", "<=", new Date(now.getTime() - after)),
          ]),
        ),
      ),
    )
    .orderBy("orders.paid_at")
    .limit(batch)
    .execute();
  let asked = 0;
  for (const order of waiting) {
    if (order.paid_at === null) continue;
    const waitedMs = now.getTime() - order.paid_at.getTime();
    const due = moments.filter((after) => waitedMs >= after).length;
    if (due <= order.reminders_sent) continue;
    asked += 1;
    await db.transaction().execute(async (trx) => {
      await trx.updateTable("orders").set({ reminders_sent: due }).where("id", "=", order.id).execute();
      if (due > signInReminders.length) {
        await queueOperatorAlert(trx, {
          dedupeKey: `waiting-for-signin:${order.id}`,
          orderId: order.id,
          what: "Paid a week ago, and the buyer has not said which account the subscription goes to.",
        });
        return;
      }
      await queueMail(trx, {
        kind: "signin-reminder",
        dedupeKey: `signin-reminder:${order.id}:${due}`,
        recipient: order.email,
        userId: order.user_id,
        orderId: order.id,
      });
    });
  }
  return asked;
}
