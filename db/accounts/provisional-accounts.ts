/** Queries for correcting or removing a provisional account and company. No rules live here. */
import pg from "pg";
import type { AddressId, CustomerId, OrderId, UserId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { type AddressFields, addressRow } from "./customers.ts";
import type { StoredUser } from "./users.ts";

type Person = Pick<StoredUser, "email" | "firstName" | "lastName" | "phone">;

/** @returns false when another account has the email; the transaction can then only be rolled back */
export async function updateProvisionalUser(trx: Trx, id: UserId, person: Person): Promise<boolean> {
  const { email, firstName, lastName, phone } = person;
  try {
    await trx
      .updateTable("users")
      .set({ email, first_name: firstName, last_name: lastName, phone })
      .where("id", "=", id)
      .execute();
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.constraint === "users_email") return false;
    throw error;
  }
}

export async function renameCustomer(trx: Trx, id: CustomerId, name: string): Promise<void> {
  await trx.updateTable("customers").set({ name }).where("id", "=", id).execute();
}

/** @returns false when the company has no such address */
export async function updateProvisionalAddress(
  trx: Trx,
  customerId: CustomerId,
  id: AddressId,
  fields: AddressFields,
): Promise<boolean> {
  const result = await trx
    .updateTable("addresses")
    .set(addressRow(fields))
    .where("id", "=", id)
    .where("customer_id", "=", customerId)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Whether the user or the company has a paid order. */
export async function hasPaidOrder(
  db: Db,
  who: { userId: UserId } | { customerId: CustomerId },
): Promise<boolean> {
  const row = await db
    .selectFrom("orders")
    .select("id")
    .where((eb) =>
      "userId" in who ? eb("user_id", "=", who.userId) : eb("customer_id", "=", who.customerId),
    )
    .where("paid_at", "is not", null)
    .executeTakeFirst();
  return row !== undefined;
}

export async function countMembers(db: Db, customerId: CustomerId): Promise<number> {
  const members = await db
    .selectFrom("members")
    .select("user_id")
    .where("customer_id", "=", customerId)
    .execute();
  return members.length;
}

/** Lists all orders of the account, always in the same sequence, so that concurrent transactions lock them without a deadlock. */
export async function listOrderIdsOf(db: Db, userId: UserId): Promise<OrderId[]> {
  const rows = await db
    .selectFrom("orders")
    .select("id")
    .where("user_id", "=", userId)
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Cascades to the user's sessions, links and memberships. */
export async function deleteUser(trx: Trx, id: UserId): Promise<void> {
  await trx.deleteFrom("users").where("id", "=", id).execute();
}

/** Cascades to the company's addresses. */
export async function deleteCustomer(trx: Trx, id: CustomerId): Promise<void> {
  await trx.deleteFrom("customers").where("id", "=", id).execute();
}
