/** Queries on the devices and places of sessions, and on browsers that users have signed in with. No rules live here. */
import { sql } from "kysely";
import type { SessionId, UserId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";

/** Device, network and country at sign-in; null for sessions created before we recorded them. */
export interface StoredDevice {
  client: string | null;
  network: string | null;
  country: string | null;
}

export interface SessionOwner {
  userId: UserId;
  email: string;
}

/** @returns the session's user; null when there is no such session */
export async function updateDevice(
  trx: Trx,
  sessionId: SessionId,
  { client, network, country }: StoredDevice,
): Promise<SessionOwner | null> {
  const row = await trx
    .updateTable("sessions")
    .from("users")
    .set({ client, network, country })
    .whereRef("users.id", "=", "sessions.user_id")
    .where("sessions.id", "=", sessionId)
    .returning(["users.id as userId", "users.email"])
    .executeTakeFirst();
  return row ?? null;
}

export async function hasDevices(db: Db, userId: UserId): Promise<boolean> {
  const row = await db
    .selectFrom("known_devices")
    .select("user_id")
    .where("user_id", "=", userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** @returns whether it is new to the user */
export async function saveDevice(trx: Trx, userId: UserId, keyHash: string, at: Date): Promise<boolean> {
  const { isNew } = await trx
    .insertInto("known_devices")
    .values({ user_id: userId, key_hash: keyHash, last_used_at: at })
    .onConflict((oc) => oc.columns(["user_id", "key_hash"]).doUpdateSet({ last_used_at: at }))
    // An existing row was updated by this transaction.
    .returning(sql<boolean>`xmax = 0`.as("isNew"))
    .executeTakeFirstOrThrow();
  return isNew;
}
