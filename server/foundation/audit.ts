/**
 * The audit log: who did what to which subject, for support and for the operator. It never holds a password, a token or a
 * provider's secret.
 */

import type { StaffId, UserId } from "#db/ids.ts";
import { insertAuditEntry } from "#db/platform/audit.ts";
import type { Db } from "#db/tables/index.ts";

export interface AuditEntry {
  /** The user who acted; `null` for the system. */
  userId: UserId | null;
  /** The member of staff who acted at the desk. */
  staffId?: StaffId | undefined;
  /** `noun.verb`, e.g. `password.set`. */
  action: string;
  /** The subject as `kind:id`, e.g. `order:3f0c…`. */
  subject: string;
  data?: Readonly<Record<string, string | number | boolean | null>>;
}

/** Who acts for the store: by a command, under their name on that machine, or at the desk. */
export interface AuditActor {
  by: string;
  staffId?: StaffId | undefined;
}

/** Who acts for the store, and why, in their words. */
export interface AuditContext extends AuditActor {
  reason: string;
}

/** Writes one entry. Pass the transaction of the change itself, so that neither exists without the other. */
export async function recordAudit(trx: Db, entry: AuditEntry): Promise<void> {
  await insertAuditEntry(trx, { ...entry, staffId: entry.staffId ?? null, data: entry.data ?? {} });
}
