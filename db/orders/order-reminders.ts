/** Queries on orders whose buyer is due a reminder: abandoned drafts, and paid orders that wait for sign-in. */
import type { OrderId, UserId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";

export interface AbandonedOrder {
  id: OrderId;
  userId: UserId | null;
  /** The buyer's email. */
  email: string;
}

/**
 * Lists drafts last changed in this period whose buyer was not mailed yet, using the index of abandoned drafts. Oldest first:
 * after an interruption of the job, drafts about to become too old still get their mail.
 */
export async function listAbandonedDrafts(
  db: Db,
  { after, before, limit }: { after: Date; before: Date; limit: number },
): Promise<AbandonedOrder[]> {
  return db
    .selectFrom("orders")
    .innerJoin("users", "users.id", "orders.user_id")
    .select(["orders.id", "orders.user_id as userId", "users.email"])
    .where("orders.payment_status", "in", ["none", "pending", "failed"])
    .where("orders.resume_mailed_at", "is", null)
    .where("orders.removed_at", "is", null)
    .where("orders.updated_at", "<", before)
    .where("orders.updated_at", ">", after)
    .orderBy("orders.updated_at")
    .limit(limit)
    .execute();
}

/** Records that the resume link of a draft was mailed. */
export async function markResumeMailed(trx: Trx, id: OrderId, at: Date): Promise<void> {
  await trx.updateTable("orders").set({ resume_mailed_at: at }).where("id", "=", id).execute();
}

export interface OrderAwaitingSignIn extends AbandonedOrder {
  paidAt: Date | null;
  remindersSent: number;
}

/**
 * Lists paid orders that wait for sign-in and are due for a reminder, first paid first. Returns only due orders, because others
 * could fill the whole batch and starve them.
 * @param paidBefore indexed by reminders sent: an order with at most that many is due when it was paid by this time
 */
export async function listOrdersAwaitingSignIn(
  db: Db,
  { paidBefore, limit }: { paidBefore: readonly Date[]; limit: number },
): Promise<OrderAwaitingSignIn[]> {
  return db
    .selectFrom("orders")
    .innerJoin("users", "users.id", "orders.user_id")
    .select([
      "orders.id",
      "orders.user_id as userId",
      "orders.paid_at as paidAt",
      "orders.reminders_sent as remindersSent",
      "users.email",
    ])
    .where("orders.fulfilment_status", "=", "waiting_for_signin")
    .where(({ or, and, eb }) =>
      or(
        paidBefore.map((moment, sent) =>
          and([eb("orders.reminders_sent", "<=", sent), eb("orders.paid_at", "<=", moment)]),
        ),
      ),
    )
    .orderBy("orders.paid_at")
    .limit(limit)
    .execute();
}

export async function saveRemindersSent(trx: Trx, id: OrderId, count: number): Promise<void> {
  await trx.updateTable("orders").set({ reminders_sent: count }).where("id", "=", id).execute();
}
