/** What is done to people's accounts by hand, which the store has no page for. */
import type { UserId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";

/** Proves a mailbox as the sign-in after it would find it: the sessions of the account stay. */
export async function confirmEmail(db: Db, email: string): Promise<void> {
  await db.updateTable("users").set({ email_verified_at: new Date() }).where("email", "=", email).execute();
}

/** Shuts an account out, as an operator does in the database. */
export async function disable(db: Db, id: UserId): Promise<void> {
  await db.updateTable("users").set({ disabled_at: new Date() }).where("id", "=", id).execute();
}
