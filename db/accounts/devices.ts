/** Queries on where sessions were opened from, and on browsers that users have signed in with. No rules live here. */
import { sql } from "kysely";
import type { SessionId, UserId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";

/** Where a session was opened from, as stored: null for sessions from before it was written down. */
export interface StoredDevice {
  client: string | null;
  network: string | null;
  country: string | null;
}

export interface SessionOwner {
  userId: UserId;
  email: string;
}

/** @returns whose session it is; null when there is none */
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
    // A row that was there before has been updated by this transaction.
    .returning(sql<boolean>`xmax = 0`.as("isNew"))
    .executeTakeFirstOrThrow();
  return isNew;
}
