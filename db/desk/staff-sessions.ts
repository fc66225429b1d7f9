/** Queries on staff sessions. No rules live here. */
import type { StaffId, StaffSessionId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import { findStaff, type Staff } from "./staff.ts";

/** A Desk session that has neither ended nor expired. */
export interface StoredStaffSession {
  id: StaffSessionId;
  /** User-Agent of the browser. */
  client: string;
  createdAt: Date;
  lastSeenAt: Date;
  /** Null before the second factor was first shown. */
  verifiedAt: Date | null;
}

export async function insertStaffSession(
  db: Db,
  session: StoredStaffSession & { staffId: StaffId; tokenHash: string; expiresAt: Date },
): Promise<void> {
  await db
    .insertInto("staff_sessions")
    .values({
      id: session.id,
      staff_id: session.staffId,
      token_hash: session.tokenHash,
      client: session.client,
      created_at: session.createdAt,
      last_seen_at: session.lastSeenAt,
      expires_at: session.expiresAt,
      verified_at: session.verifiedAt,
      ended_at: null,
    })
    .execute();
}

const live = (db: Db, now: Date) =>
  db
    .selectFrom("staff_sessions")
    .select([
      "staff_sessions.id",
      "staff_sessions.client",
      "staff_sessions.created_at as createdAt",
      "staff_sessions.last_seen_at as lastSeenAt",
      "staff_sessions.verified_at as verifiedAt",
    ])
    .where("staff_sessions.ended_at", "is", null)
    .where("staff_sessions.expires_at", ">", now);

/** Returns the session of a token, with its member of staff. */
export async function findStaffSession(
  db: Db,
  tokenHash: string,
  now: Date,
): Promise<(StoredStaffSession & { staff: Staff }) | null> {
  const session = await live(db, now)
    .select("staff_sessions.staff_id as staffId")
    .where("token_hash", "=", tokenHash)
    .executeTakeFirst();
  if (session === undefined) return null;
  const { staffId, ...stored } = session;
  const staff = await findStaff(db, staffId);
  return staff === null ? null : { ...stored, staff };
}

/** Lists all live sessions that have shown their second factor, with their member of staff, most recently used first. */
export function listStaffSessions(db: Db, now: Date): Promise<(StoredStaffSession & { staffId: StaffId })[]> {
  return live(db, now)
    .select("staff_sessions.staff_id as staffId")
    .where("verified_at", "is not", null)
    .orderBy("last_seen_at", "desc")
    .execute();
}

export async function touchStaffSession(
  db: Db,
  id: StaffSessionId,
  lastSeenAt: Date,
  expiresAt: Date,
): Promise<void> {
  await db
    .updateTable("staff_sessions")
    .set({ last_seen_at: lastSeenAt, expires_at: expiresAt })
    .where("id", "=", id)
    .execute();
}

export async function markVerified(db: Db, id: StaffSessionId, at: Date): Promise<void> {
  await db.updateTable("staff_sessions").set({ verified_at: at }).where("id", "=", id).execute();
}

export async function markEnded(db: Db, id: StaffSessionId, at: Date): Promise<void> {
  await db
    .updateTable("staff_sessions")
    .set({ ended_at: at })
    .where("id", "=", id)
    .where("ended_at", "is", null)
    .execute();
}

export async function markAllEnded(db: Db, staffId: StaffId, at: Date): Promise<void> {
  await db
    .updateTable("staff_sessions")
    .set({ ended_at: at })
    .where("staff_id", "=", staffId)
    .where("ended_at", "is", null)
    .execute();
}
