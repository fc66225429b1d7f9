/**
 * The audit log records every change with its actor and subject, for support and for the operator. It never contains a password,
 * a token or a provider's secret.
 */

import type { StaffId, UserId } from "#db/ids.ts";
import { insertAuditEntry } from "#db/platform/audit.ts";
import type { Db } from "#db/tables/index.ts";

export interface AuditEntry {
  /** User who acted; `null` for the system. */
  userId: UserId | null;
  /** Member of staff who acted in Desk. */
  staffId?: StaffId | undefined;
  /** `noun.verb`, e.g. `password.set`. */
  action: string;
  /** The subject as `kind:id`, e.g. `order:3f0c…`. */
  subject: string;
  data?: Readonly<Record<string, string | number | boolean | null>>;
}

/** Actor for the store: the OS user who runs a command, or a member of staff in Desk. */
export interface AuditActor {
  by: string;
  staffId?: StaffId | undefined;
}

/** Actor and reason, in their own words. */
export interface AuditContext extends AuditActor {
  reason: string;
}

/** Writes one entry. Pass the transaction of the change itself, so that neither exists without the other. */
export async function recordAudit(trx: Db, entry: AuditEntry): Promise<void> {
  await insertAuditEntry(trx, { ...entry, staffId: entry.staffId ?? null, data: entry.data ?? {} });
}
