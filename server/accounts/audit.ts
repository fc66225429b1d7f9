/**
 * The audit log: who did what to which subject, for support and for the operator. It never holds a password, a token or a
 * provider's secret.
 */
import { insertAuditEntry } from "#db/audit.ts";
import type { UserId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";

export interface AuditEntry {
  /** The user who acted; `null` for the system. */
  userId: UserId | null;
  /** `noun.verb`, e.g. `password.set`. */
  action: string;
  /** The subject as `kind:id`, e.g. `order:3f0c…`. */
  subject: string;
  data?: Readonly<Record<string, string | number | boolean | null>>;
}

/** Writes one entry. Pass the transaction of the change itself, so that neither exists without the other. */
export async function record(trx: Db, entry: AuditEntry): Promise<void> {
  await insertAuditEntry(trx, { ...entry, data: entry.data ?? {} });
}
