/** The audit log's entries: written with what they tell of, and read at the desk. */

import { type RawBuilder, sql } from "kysely";
import type { StaffId, UserId } from "#db/ids.ts";
import { likePrefix } from "#db/keyset.ts";
import type { Db } from "#db/tables/index.ts";

export async function insertAuditEntry(
  db: Db,
  entry: {
    /** The user who acted, or null for the system. */
    userId: UserId | null;
    /** The member of staff who acted at the desk, or null. */
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
  /** The member of staff or user who acted; null for the system and for commands, whose data names who ran them. */
  by: string | null;
  isStaff: boolean;
}

export interface AuditFilter {
  /** How the email of the member of staff begins. */
  staff: string | null;
  /** How the action begins: "order." */
  action: string | null;
  subject: string | null;
}

/** The newest first. @param before the last id of the page before this one; null for the first */
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
      // Nothing but the ids: with the conditions repeated here, PostgreSQL may choose the index of one of them and read its every entry.
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
 * The newest of each member of staff, or of each action, that a prefix names: at most as many as the page has are read of each, by its own
 * index. Left to itself PostgreSQL reads the whole log for a prefix that few entries have; also of one it would go back through all ids, so
 * that bounds and order are given in the index's own columns, where equality would leave it the choice. Null where neither narrows the list.
 */
function newestOf(
  { staff, action, subject }: AuditFilter,
  { before, limit }: { before: number | null; limit: number },
): RawBuilder<unknown> | null {
  if (subject !== null || (staff === null && action === null)) return null;
  // From each action to the next, by the index: there are few actions and many entries.
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

/** PostgreSQL's greatest bigint, which no number of JavaScript is. */
const lastId = sql`9223372036854775807`;
