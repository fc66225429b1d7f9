/** The audit log's entries. */
import type { UserId } from "./ids.ts";
import type { Db } from "./tables/index.ts";

export async function insertAuditEntry(
  db: Db,
  entry: {
    /** The user who acted, or null for the system. */
    userId: UserId | null;
    action: string;
    subject: string;
    data: Readonly<Record<string, string | number | boolean | null>>;
  },
): Promise<void> {
  const { userId, action, subject, data } = entry;
  await db
    .insertInto("audit_log")
    .values({ user_id: userId, action, subject, data: JSON.stringify(data) })
    .execute();
}
