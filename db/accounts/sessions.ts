/** Queries on sessions. No rules live here. */

import type { CustomerId, SessionId, UserId } from "#db/ids.ts";
import type { Country, MemberRole } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import type { StoredDevice } from "./devices.ts";
import { hasFactor } from "./second-factors.ts";
import type { StoredUser } from "./users.ts";

/** A session that is neither revoked nor expired. */
export interface StoredSession {
  id: SessionId;
  createdAt: Date;
  lastSeenAt: Date;
}

export async function insertSession(
  db: Db,
  session: StoredSession & { userId: UserId; expiresAt: Date },
): Promise<void> {
  await db
    .insertInto("sessions")
    .values({
      id: session.id,
      user_id: session.userId,
      created_at: session.createdAt,
      last_seen_at: session.lastSeenAt,
      expires_at: session.expiresAt,
      revoked_at: null,
    })
    .execute();
}

/** A session with its user, and the first company that the user joined. */
export interface LiveSession extends StoredSession {
  /** Draft key of the browser it was created for, until that browser has used the token. */
  handoverKey: string | null;
  user: Pick<StoredUser, "id" | "email" | "firstName" | "lastName" | "phone" | "role">;
  customer: { id: CustomerId; name: string; country: Country; role: MemberRole } | null;
  /** Whether one of the user's companies requires a second factor that the user does not have. */
  isKeptOut: boolean;
}

/** Returns the session, if it is valid at `now`. */
export async function selectLiveSession(db: Db, id: SessionId, now: Date): Promise<LiveSession | null> {
  const row = await db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom("members")
          .innerJoin("customers", "customers.id", "members.customer_id")
          .select([
            "customers.id as customer_id",
            "customers.name as customer_name",
            "customers.country as customer_country",
            "members.role as member_role",
          ])
          .whereRef("members.user_id", "=", "sessions.user_id")
          .orderBy("members.created_at")
          .orderBy("members.customer_id")
          .limit(1)
          .as("company"),
      (join) => join.onTrue(),
    )
    .select([
      "sessions.id as session_id",
      "sessions.created_at as session_created_at",
      "sessions.last_seen_at",
      "sessions.handover_key",
      "users.id as user_id",
      "users.email",
      "users.first_name",
      "users.last_name",
      "users.phone",
      "users.role",
      "company.customer_id",
      "company.customer_name",
      "company.customer_country",
      "company.member_role",
    ])
    .select(({ and, exists, not, selectFrom }) =>
      and([
        exists(
          selectFrom("members")
            .innerJoin("customers", "customers.id", "members.customer_id")
            .select("customers.id")
            .whereRef("members.user_id", "=", "sessions.user_id")
            .where("customers.requires_second_factor", "=", true),
        ),
        not(hasFactor("sessions.user_id")),
      ])
        .$castTo<boolean>()
        .as("isKeptOut"),
    )
    .where("sessions.id", "=", id)
    .where("sessions.revoked_at", "is", null)
    .where("sessions.expires_at", ">", now)
    .where("users.disabled_at", "is", null)
    .where("users.locked_at", "is", null)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { customer_id: customerId, customer_name: name, customer_country: country, member_role: role } = row;
  return {
    id: row.session_id,
    createdAt: row.session_created_at,
    lastSeenAt: row.last_seen_at,
    handoverKey: row.handover_key,
    user: {
      id: row.user_id,
      email: row.email,
      firstName: row.first_name,
      lastName: row.last_name,
      phone: row.phone,
      role: row.role,
    },
    customer:
      customerId === null || name === null || country === null || role === null
        ? null
        : { id: customerId, name, country, role },
    isKeptOut: row.isKeptOut,
  };
}

export async function setHandoverKey(db: Db, id: SessionId, key: string | null): Promise<void> {
  await db.updateTable("sessions").set({ handover_key: key }).where("id", "=", id).execute();
}

/** Finds a session created for a browser after `since` that the browser has not picked up yet. */
export function selectUnusedSession(
  db: Db,
  by: { draftKey: string; userId: UserId; since: Date; now: Date },
): Promise<Pick<StoredSession, "id" | "createdAt"> | undefined> {
  return db
    .selectFrom("sessions")
    .select(["id", "created_at as createdAt"])
    .where("handover_key", "=", by.draftKey)
    .where("user_id", "=", by.userId)
    .where("created_at", ">", by.since)
    .where("expires_at", ">", by.now)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
}

/** Lists a user's sessions that are valid at `now`, with their device and place, most recently used first. */
export function selectLiveSessionsOf(
  db: Db,
  userId: UserId,
  now: Date,
): Promise<(StoredSession & StoredDevice)[]> {
  return db
    .selectFrom("sessions")
    .select(["id", "created_at as createdAt", "last_seen_at as lastSeenAt", "client", "network", "country"])
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", now)
    .orderBy("last_seen_at", "desc")
    .orderBy("id")
    .execute();
}

/** Extends a session that is not revoked. */
export async function touchSession(db: Db, id: SessionId, lastSeenAt: Date, expiresAt: Date): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ last_seen_at: lastSeenAt, expires_at: expiresAt })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .execute();
}

/** @param of the session's user */
export async function revokeUserSession(db: Db, of: UserId, id: SessionId, at: Date): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ revoked_at: at })
    .where("id", "=", id)
    .where("user_id", "=", of)
    .where("revoked_at", "is", null)
    .execute();
}

export async function markSessionRevoked(db: Db, id: SessionId, at: Date): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ revoked_at: at })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .execute();
}

/** @param except a session that stays open */
export async function markSessionsRevoked(
  db: Db,
  userId: UserId,
  at: Date,
  except: SessionId | null = null,
): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ revoked_at: at })
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .$if(except !== null, (query) => query.where("id", "!=", except))
    .execute();
}
