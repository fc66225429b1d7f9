/** Entries of the audit log: written with the changes that they record, and read in Desk. */

import { type RawBuilder, sql } from "kysely";
import type { StaffId, UserId } from "#db/ids.ts";
import { likePrefix } from "#db/keyset.ts";
import type { Db } from "#db/tables/index.ts";

export async function insertAuditEntry(
  db: Db,
  entry: {
    /** User who acted, or null for the system. */
    userId: UserId | null;
    /** Member of staff who acted in Desk, or null. */
    staffId: StaffId | null;
    action: string;
    subject: string;
    data: Readonly<Record<string, string | number | boolean | null>>;
  },
): Promise<void> {
  const { userId, staffId, action, subject, data } = entry;
  await db
    .insertInto("audit_log")
    .values({ user_id: userId, staff_id: staffId, action, subject, data: JSON.stringify(data) })
    .execute();
}

export interface AuditRecord {
  id: number;
  at: Date;
  action: string;
  subject: string;
  data: unknown;
  /** Member of staff or user who acted; null for the system and for commands, whose data names the OS user. */
  by: string | null;
  isStaff: boolean;
}

export interface AuditFilter {
  /** Prefix of the member of staff's email. */
  staff: string | null;
  /** Prefix of the action: "order." */
  action: string | null;
  subject: string | null;
}

/** Returns a page, newest first. @param before the last id of the page before this one; null for the first */
export async function listAudit(
  db: Db,
  { staff, action, subject }: AuditFilter,
  { before, limit }: { before: number | null; limit: number },
): Promise<AuditRecord[]> {
  const newest = newestOf({ staff, action, subject }, { before, limit });
  return (
    db
      .selectFrom("audit_log")
      .leftJoin("staff", "staff.id", "audit_log.staff_id")
      .leftJoin("users", "users.id", "audit_log.user_id")
      .select(({ eb, fn }) => [
        "audit_log.id",
        "audit_log.at",
        "audit_log.action",
        "audit_log.subject",
        "audit_log.data",
        fn.coalesce("staff.email", "users.email").as("by"),
        eb("audit_log.staff_id", "is not", null).$castTo<boolean>().as("isStaff"),
      ])
      // Selects only by id: if the conditions were repeated here, PostgreSQL might scan one of their indexes in full.
      .$if(newest !== null, (query) => query.where(sql<boolean>`audit_log.id = any(array(${newest}))`))
      .$if(subject !== null, (query) => query.where("audit_log.subject", "=", subject ?? ""))
      .$if(subject !== null && staff !== null, (query) =>
        query.where(sql<boolean>`audit_log.staff_id = any(array(${staffNamed(staff)}))`),
      )
      .$if(subject !== null && action !== null, (query) =>
        query.where("audit_log.action", "like", likePrefix(action ?? "")),
      )
      .$if(before !== null, (query) => query.where("audit_log.id", "<", before ?? 0))
      .orderBy("audit_log.id", "desc")
      .limit(limit)
      .execute()
  );
}

const staffNamed = (prefix: string | null) =>
  sql`select id from staff where email like ${likePrefix(prefix ?? "")}`;

/**
 * Reads the newest entries of each member of staff, or of each action, that a prefix matches: at most a page of each, by its own
 * index. Otherwise PostgreSQL reads the whole log for a prefix that few entries have. For a single match too it would go back
 * through all ids, so bounds and order use the index's own columns, where equality would leave it the choice. Null when neither
 * filter is set.
 */
function newestOf(
  { staff, action, subject }: AuditFilter,
  { before, limit }: { before: number | null; limit: number },
): RawBuilder<unknown> | null {
  if (subject !== null || (staff === null && action === null)) return null;
  // Jumps from each action to the next through the index: there are few actions and many entries.
  const actions = sql`
    (with recursive each (action) as (
      (select action from audit_log order by action limit 1)
      union all
      select (select next.action from audit_log next where next.action > each.action order by next.action limit 1)
      from each where each.action is not null)
    select action from each where action like ${likePrefix(action ?? "")}) actions`;
  const named = sql`(${staffNamed(staff)}) named`;
  const byStaff = staff !== null && action === null;
  const [column, value] = byStaff
    ? [sql`entry.staff_id`, sql`named.id`]
    : [sql`entry.action`, sql`actions.action`];
  return sql`
    select newest.id
    from ${sql.join([...(staff === null ? [] : [named]), ...(action === null ? [] : [actions])], sql` cross join `)}
    cross join lateral (
      select entry.id from audit_log entry
      where ${staff !== null && action !== null ? sql`entry.staff_id = named.id` : sql`true`}
        and (${column}, entry.id) < (${value}, ${before ?? lastId}) and ${column} >= ${value}
      order by ${column} desc, entry.id desc limit ${limit}) newest`;
}

/** PostgreSQL's greatest bigint, which JavaScript's numbers cannot represent. */
const lastId = sql`9223372036854775807`;
