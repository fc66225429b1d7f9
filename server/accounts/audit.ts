/** The audit log: who did what to whom, for support and for the operator. Never holds a password, a token or a provider's secret. */
import { insertAuditEntry } from "#db/accounts.ts";
import type { UserId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";

export interface AuditEntry {
  /** Who acted; `null` = the system. */
  userId: UserId | null;
  /** `noun.verb`, e.g. `password.set`. */
  action: string;
  /** What it was done to, `kind:id`, e.g. `order:3f0c…`. */
  subject: string;
  data?: Readonly<Record<string, string | number | boolean | null>>;
}

/** Writes one line; pass the transaction of the change itself, so that neither exists without the other. */
export async function record(trx: Db, entry: AuditEntry): Promise<void> {
  await insertAuditEntry(trx, {
    user_id: entry.userId,
    action: entry.action,
    subject: entry.subject,
    data: JSON.stringify(entry.data ?? {}),
  });
}
