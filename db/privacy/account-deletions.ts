/** Queries on account deletions: their blockers, and the erasure itself. */
import { sql } from "kysely";
import type { CustomerId, UserId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { personalData, personalTables } from "./personal-data.ts";
import type { DataSubject } from "./personal-subject.ts";

export interface AccountDeletion {
  userId: UserId;
  askedAt: Date;
  dueAt: Date;
  doneAt: Date | null;
}

export async function findDeletion(db: Db, userId: UserId): Promise<AccountDeletion | null> {
  const row = await db
    .selectFrom("account_deletions")
    .select(["user_id as userId", "asked_at as askedAt", "due_at as dueAt", "done_at as doneAt"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row ?? null;
}

/** @returns false when it was requested before */
export async function insertDeletion(
  trx: Trx,
  { userId, askedAt, dueAt }: Omit<AccountDeletion, "doneAt">,
): Promise<boolean> {
  const result = await trx
    .insertInto("account_deletions")
    .values({ user_id: userId, asked_at: askedAt, due_at: dueAt, done_at: null })
    .onConflict((oc) => oc.column("user_id").doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** @returns false when none was pending */
export async function removeDeletion(trx: Trx, userId: UserId): Promise<boolean> {
  const result = await trx
    .deleteFrom("account_deletions")
    .where("user_id", "=", userId)
    .where("done_at", "is", null)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

export async function markDeletionDone(trx: Trx, userId: UserId, at: Date): Promise<void> {
  await trx.updateTable("account_deletions").set({ done_at: at }).where("user_id", "=", userId).execute();
}

/** One of the user's companies, with the facts that decide whether they may leave it. */
export interface LeftCompany {
  customerId: CustomerId;
  name: string;
  /** Other members, and the owners among them who can sign in. */
  others: number;
  otherOwners: number;
  /** Number of active subscriptions. */
  running: number;
}

export async function listCompaniesLeft(db: Db, userId: UserId, now: Date): Promise<LeftCompany[]> {
  const { rows } = await sql<LeftCompany>`
    select c.id as "customerId", c.name,
      (select count(*) from members o where o.customer_id = c.id and o.user_id <> m.user_id) as others,
      (select count(*) from members o join users u on u.id = o.user_id
        where o.customer_id = c.id and o.user_id <> m.user_id and o.role = 'owner' and u.disabled_at is null) as "otherOwners",
      (select count(*) from subscriptions s
        where s.customer_id = c.id and s.status = 'active' and s.end_date > ${now}) as running
    from members m join customers c on c.id = m.customer_id
    where m.user_id = ${userId}
    order by c.created_at`.execute(db);
  return rows;
}

/**
 * Lists paid orders that are not complete, oldest first: those in fulfilment or waiting, and those with a payment, refund,
 * dispute, cancellation or document in progress. Frequent kinds are looked up by their order (`offset 0`), because PostgreSQL
 * might otherwise read those of all orders first.
 */
export async function listUnfinished(
  db: Db,
  userId: UserId,
  customerIds: readonly CustomerId[],
): Promise<Pick<Order, "number" | "createdAt">[]> {
  const theirs = sql`(o.user_id = ${userId} or o.customer_id = any(${customerIds}::uuid[]))`;
  const { rows } = await sql<Pick<Order, "number" | "createdAt">>`
    select o.number, o.created_at as "createdAt" from orders o where ${theirs} and (
      (o.payment_status in ('completed', 'partly_refunded', 'disputed')
        and o.fulfilment_status in ('waiting_for_signin', 'queued', 'running', 'needs_attention'))
      or exists (select from payments p where p.order_id = o.id
        and p.status in ('returned', 'mismatch') offset 0)
      or (o.payment_status = 'pending'
        and exists (select from payments p where p.order_id = o.id and p.status = 'part' offset 0))
      or exists (select from refunds r where r.order_id = o.id and r.status <> 'processed' offset 0)
      or exists (select from disputes d where d.order_id = o.id and d.status in ('open', 'review', 'action'))
      or exists (select from cancellations c where c.order_id = o.id and c.state in ('requested', 'vendor_done') offset 0)
      or exists (select from e_invoices e where e.order_id = o.id and e.state in ('pending', 'failed') offset 0))
    order by o.created_at`.execute(db);
  return rows;
}

/** Lists the names in a user's orders: telephones, and first and last names together. */
export async function listNamesInOrders(db: Db, userId: UserId): Promise<string[]> {
  const { rows } = await sql<{ phone: string | null; name: string | null; email: string | null }>`
    select distinct account ->> 'phoneNumber' as phone, account ->> 'email' as email,
      concat_ws(' ', account ->> 'firstName', account ->> 'lastName') as name
    from orders where user_id = ${userId} and account is not null`.execute(db);
  return rows.flatMap(({ phone, email, name }) => [phone ?? "", email ?? "", name ?? ""]);
}

/**
 * Erases the data of every table as `personalData` defines. Orders and the account come last, because others are found by them.
 */
export async function erasePerson(trx: Trx, of: DataSubject): Promise<void> {
  const last = ["orders", "users"] as const;
  const first = personalTables.filter((table) => !last.some((each) => each === table));
  for (const table of [...first, ...last]) {
    const { erase } = personalData[table];
    if (typeof erase === "string") continue;
    for (const statement of erase) await statement(of).execute(trx);
  }
}
