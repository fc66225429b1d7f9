/** Queries on impersonations. No rules live here. */
import { sql } from "kysely";
import type { CustomerId, StaffId, StaffSessionId, StoreViewId, UserId } from "#db/ids.ts";
import type { StaffRole } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";

export interface StoredImpersonation {
  id: StoreViewId;
  staffSessionId: StaffSessionId;
  customerId: CustomerId;
  userId: UserId;
  createdAt: Date;
  expiresAt: Date;
}

export async function insertImpersonation(
  trx: Trx,
  view: StoredImpersonation & { tokenHash: string },
): Promise<void> {
  await trx
    .insertInto("store_views")
    .values({
      id: view.id,
      staff_session_id: view.staffSessionId,
      customer_id: view.customerId,
      user_id: view.userId,
      token_hash: view.tokenHash,
      created_at: view.createdAt,
      expires_at: view.expiresAt,
      ended_at: null,
    })
    .execute();
}

/** Returns an active impersonation: the Desk session, the member of staff, the user and their membership must all still exist. */
export async function findLiveImpersonation(
  db: Db,
  tokenHash: string,
  now: Date,
): Promise<(StoredImpersonation & { staffRole: StaffRole; company: string }) | null> {
  const row = await db
    .selectFrom("store_views")
    .innerJoin("staff_sessions", "staff_sessions.id", "store_views.staff_session_id")
    .innerJoin("staff", "staff.id", "staff_sessions.staff_id")
    .innerJoin("users", "users.id", "store_views.user_id")
    .innerJoin("customers", "customers.id", "store_views.customer_id")
    .innerJoin("members", (join) =>
      join
        .onRef("members.customer_id", "=", "store_views.customer_id")
        .onRef("members.user_id", "=", "store_views.user_id"),
    )
    .select([
      "store_views.id",
      "store_views.staff_session_id as staffSessionId",
      "store_views.customer_id as customerId",
      "store_views.user_id as userId",
      "store_views.created_at as createdAt",
      "store_views.expires_at as expiresAt",
      "staff.role as staffRole",
      "customers.name as company",
    ])
    .where("store_views.token_hash", "=", tokenHash)
    .where("store_views.ended_at", "is", null)
    .where("store_views.expires_at", ">", now)
    .where("staff_sessions.ended_at", "is", null)
    .where("staff_sessions.expires_at", ">", now)
    .where("staff_sessions.verified_at", "is not", null)
    .where("staff.removed_at", "is", null)
    .where("users.disabled_at", "is", null)
    .executeTakeFirst();
  return row ?? null;
}

export interface EndedImpersonation {
  id: StoreViewId;
  customerId: CustomerId;
  staffId: StaffId;
  staffEmail: string;
  userEmail: string;
  endedAt: Date;
}

/** Ends all open impersonations of a Desk session. */
export function endImpersonationsOf(
  trx: Trx,
  sessionId: StaffSessionId,
  at: Date,
): Promise<EndedImpersonation[]> {
  return end(trx, sql`v.staff_session_id = ${sessionId}`, at);
}

/** Ends impersonations whose hour or Desk session is over. */
export function endExpiredImpersonations(trx: Trx, now: Date): Promise<EndedImpersonation[]> {
  return end(
    trx,
    sql`(v.expires_at <= ${now} or s.ended_at is not null or s.expires_at <= ${now} or f.removed_at is not null)`,
    now,
  );
}

/** Ends each once, at the time when it could last be used: the end of its hour, of its session, or now. */
async function end(trx: Trx, which: ReturnType<typeof sql>, now: Date): Promise<EndedImpersonation[]> {
  const { rows } = await sql<EndedImpersonation>`
    update store_views v
    set ended_at = least(v.expires_at, s.ended_at, s.expires_at, f.removed_at, ${now})
    from staff_sessions s, staff f, users u
    where s.id = v.staff_session_id and f.id = s.staff_id and u.id = v.user_id and v.ended_at is null and ${which}
    returning v.id, v.customer_id as "customerId", f.id as "staffId", f.email as "staffEmail", u.email as "userEmail",
              v.ended_at as "endedAt"`.execute(trx);
  return rows;
}
