/**
 * Mails resume links for abandoned drafts, and for paid orders that still wait for sign-in (docs/specification.md, section 9.3).
 * Reminds buyers of overdue certificates.
 */

import {
  listAbandonedDrafts,
  listOrdersAwaitingSignIn,
  markResumeMailed,
  saveRemindersSent,
} from "#db/orders/order-reminders.ts";
import { sendCertificateReminders } from "#server/billing/payments/certificates.ts";
import { queueOperatorAlert, queueOwnMail } from "#server/foundation/outbox/mail.ts";
import type { Context } from "#server/platform/context.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Time without changes after which a draft counts as left behind, not just paused, and after which it counts as abandoned. */
const leftAfterMs = 2 * hourMs;
const givenUpAfterMs = 7 * dayMs;
/** Times after payment at which the buyer of an order without sign-in is reminded; after the last, the operator is alerted. */
const signInReminders = [hourMs, dayMs, 3 * dayMs] as const;
const operatorAfterMs = 7 * dayMs;
const moments = [...signInReminders, operatorAfterMs];
const batch = 100;
/** The next run, ten minutes later, handles the rest. */
const maxBatches = 20;

/** @returns the number of mails queued; each is sent only once, even if runs overlap */
export async function sendReminders(context: Context, now = new Date()): Promise<number> {
  let requested = await sendCertificateReminders(context, now);
  for (const once of [remindDrafts, remindSignIns]) {
    for (let run = 0; run < maxBatches; run += 1) {
      const count = await once(context, now);
      requested += count;
      if (count < batch) break;
    }
  }
  return requested;
}

async function remindDrafts({ db }: Context, now: Date): Promise<number> {
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const drafts = await listAbandonedDrafts(db, {
    after: ago(givenUpAfterMs),
    before: ago(leftAfterMs),
    limit: batch,
  });
  for (const draft of drafts) {
    await db.transaction().execute(async (trx) => {
      await markResumeMailed(trx, draft.id, now);
      await queueOwnMail(trx, {
        kind: "resume-order",
        dedupeKey: `resume-order:${draft.id}`,
        userId: draft.userId,
        orderId: draft.id,
      });
    });
  }
  return drafts.length;
}

async function remindSignIns({ db }: Context, now: Date): Promise<number> {
  const paidBefore = moments.map((after) => new Date(now.getTime() - after));
  const waiting = await listOrdersAwaitingSignIn(db, { paidBefore, limit: batch });
  let count = 0;
  for (const order of waiting) {
    if (order.paidAt === null) continue;
    const waitedMs = now.getTime() - order.paidAt.getTime();
    const due = moments.filter((after) => waitedMs >= after).length;
    if (due <= order.remindersSent) continue;
    count += 1;
    await db.transaction().execute(async (trx) => {
      await saveRemindersSent(trx, order.id, due);
      if (due > signInReminders.length) {
        await queueOperatorAlert(trx, {
          dedupeKey: `waiting-for-signin:${order.id}`,
          orderId: order.id,
          what: "This order was paid a week ago, but the buyer hasn't chosen an account for it.",
        });
        return;
      }
      await queueOwnMail(trx, {
        kind: "signin-reminder",
        dedupeKey: `signin-reminder:${order.id}:${due}`,
        userId: order.userId,
        orderId: order.id,
      });
    });
  }
  return count;
}
