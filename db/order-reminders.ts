/** Queries on orders whose buyer is to be written to: drafts left behind, and paid orders that wait for sign-in. */
import type { OrderId, UserId } from "./ids.ts";
import type { Db, Trx } from "./tables/index.ts";

export interface OrderLeft {
  id: OrderId;
  userId: UserId | null;
  /** The buyer's. */
  email: string;
}

/**
 * Drafts last touched in this time whose buyer was not written to, by the index of those left behind. The one left longest ago
 * first: after a pause of the job, those about to be too old are still written to.
 */
export async function listDraftsLeft(
  db: Db,
  { after, before, limit }: { after: Date; before: Date; limit: number },
): Promise<OrderLeft[]> {
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

/** The resume link of a draft is mailed. */
export async function markResumeMailed(trx: Trx, id: OrderId, at: Date): Promise<void> {
  await trx.updateTable("orders").set({ resume_mailed_at: at }).where("id", "=", id).execute();
}

export interface SignInAwaited extends OrderLeft {
  paidAt: Date | null;
  remindersSent: number;
}

/**
 * Paid orders that wait for sign-in and are due for a reminder, the one paid first at the top. Due ones only: a batch filled with
 * those that wait for their next moment would let nobody else in.
 * @param paidBefore when one must have been paid that has had so many reminders, as the index says, or fewer
 */
export async function listSignInsAwaited(
  db: Db,
  { paidBefore, limit }: { paidBefore: readonly Date[]; limit: number },
): Promise<SignInAwaited[]> {
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
