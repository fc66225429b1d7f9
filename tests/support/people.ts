/** Manual changes of accounts for which the store has no page. */
import type { UserId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";

/** Verifies a mailbox without ending the account's sessions. */
export async function confirmEmail(db: Db, email: string): Promise<void> {
  await db.updateTable("users").set({ email_verified_at: new Date() }).where("email", "=", email).execute();
}

/** Disables an account, as an operator does in the database. */
export async function disable(db: Db, id: UserId): Promise<void> {
  await db.updateTable("users").set({ disabled_at: new Date() }).where("id", "=", id).execute();
}
