/** Queries on users, sessions, companies, members, addresses, one-time tokens and the audit log. No rules live here. */
import { type Insertable, type Selectable, sql } from "kysely";
import type { AddressId, CustomerId, OrderId, SessionId, UserId } from "./ids.ts";
import type {
  AddressRow,
  CustomersTable,
  MembersTable,
  OneTimeTokensTable,
  SessionsTable,
  UserRow,
  UsersTable,
} from "./tables/accounts.ts";
import type { Country, TokenPurpose } from "./tables/enums.ts";
import type { Db, Trx } from "./tables/index.ts";
import type { AuditLogTable } from "./tables/platform.ts";

// Users

/** A user with fields that must not leave the server. */
export interface StoredUser {
  id: UserId;
  /** As typed at sign-up, trimmed. */
  email: string;
  firstName: string;
  lastName: string;
  /** 10 digits. */
  phone: string;
  /** CUSTOMER for everyone who buys (docs/specification.md, section 6). */
  role: string;
  passwordHash: string | null;
  emailVerifiedAt: Date | null;
  disabledAt: Date | null;
}

function toUser(row: UserRow): StoredUser {
  return {
    id: row.id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    phone: row.phone,
    role: row.role,
    passwordHash: row.password_hash,
    emailVerifiedAt: row.email_verified_at,
    disabledAt: row.disabled_at,
  };
}

/** @returns false when the email is taken, ignoring case; the transaction stays usable */
export async function insertUser(trx: Trx, user: Insertable<UsersTable>): Promise<boolean> {
  const result = await trx
    .insertInto("users")
    .values(user)
    .onConflict((oc) => oc.expression(sql`lower(email)`).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function selectUser(db: Db, id: UserId): Promise<StoredUser | null> {
  const row = await db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : toUser(row);
}

/** Ignores case, folding letters as the database's unique index does. */
export async function selectUserByEmail(db: Db, email: string): Promise<StoredUser | null> {
  const row = await db
    .selectFrom("users")
    .selectAll()
    .where(sql<string>`lower(email)`, "=", sql<string>`lower(${email})`)
    .executeTakeFirst();
  return row === undefined ? null : toUser(row);
}

/** Locks the row until the transaction ends. @returns null when there is no such user */
export async function lockUser(trx: Trx, id: UserId): Promise<StoredUser | null> {
  const row = await trx.selectFrom("users").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
  return row === undefined ? null : toUser(row);
}

/** As lockUser, but only while the user may log in. */
export async function lockActiveUser(trx: Trx, id: UserId): Promise<boolean> {
  const row = await trx
    .selectFrom("users")
    .select("id")
    .where("id", "=", id)
    .where("disabled_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** As lockActiveUser, but only while the password is still the one with this hash. */
export async function lockUserWithPassword(trx: Trx, id: UserId, passwordHash: string): Promise<boolean> {
  const row = await trx
    .selectFrom("users")
    .select("id")
    .where("id", "=", id)
    .where("password_hash", "=", passwordHash)
    .where("disabled_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** @returns false when there is no such user */
export async function updatePassword(trx: Trx, id: UserId, passwordHash: string): Promise<boolean> {
  const result = await trx
    .updateTable("users")
    .set({ password_hash: passwordHash })
    .where("id", "=", id)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Keeps the date of the first proof. @returns whether this was the first */
export async function markEmailVerified(db: Db, id: UserId, at: Date): Promise<boolean> {
  const result = await db
    .updateTable("users")
    .set({ email_verified_at: at })
    .where("id", "=", id)
    .where("email_verified_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function deletePassword(trx: Trx, id: UserId): Promise<void> {
  await trx.updateTable("users").set({ password_hash: null }).where("id", "=", id).execute();
}

/** Replaces the name and removes the phone, because both came from an unverified source. */
export async function replacePerson(
  trx: Trx,
  id: UserId,
  name: { firstName: string; lastName: string },
): Promise<void> {
  await trx
    .updateTable("users")
    .set({ first_name: name.firstName, last_name: name.lastName, phone: "" })
    .where("id", "=", id)
    .execute();
}

// Sessions

export async function insertSession(db: Db, session: Insertable<SessionsTable>): Promise<void> {
  await db.insertInto("sessions").values(session).execute();
}

/** A session that is valid at `now`, with its user and the first company that the user joined. */
export function selectLiveSession(db: Db, id: SessionId, now: Date) {
  return db
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
      "company.member_role",
    ])
    .where("sessions.id", "=", id)
    .where("sessions.revoked_at", "is", null)
    .where("sessions.expires_at", ">", now)
    .where("users.disabled_at", "is", null)
    .executeTakeFirst();
}
export type LiveSessionRow = NonNullable<Awaited<ReturnType<typeof selectLiveSession>>>;

export async function setHandoverKey(db: Db, id: SessionId, key: string | null): Promise<void> {
  await db.updateTable("sessions").set({ handover_key: key }).where("id", "=", id).execute();
}

/** A session created for a browser after `since` that the browser has not picked up yet. */
export function selectUnusedSession(
  db: Db,
  by: { draftKey: string; userId: UserId; since: Date; now: Date },
): Promise<{ id: SessionId; created_at: Date } | undefined> {
  return db
    .selectFrom("sessions")
    .select(["id", "created_at"])
    .where("handover_key", "=", by.draftKey)
    .where("user_id", "=", by.userId)
    .where("created_at", ">", by.since)
    .where("expires_at", ">", by.now)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
}

/** A user's sessions that are valid at `now`, the most recently used first. */
export function selectLiveSessionsOf(db: Db, userId: UserId, now: Date) {
  return db
    .selectFrom("sessions")
    .select(["id", "created_at", "last_seen_at"])
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

export async function markSessionRevoked(db: Db, id: SessionId, at: Date): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ revoked_at: at })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .execute();
}

export async function markSessionsRevoked(db: Db, userId: UserId, at: Date): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ revoked_at: at })
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .execute();
}

// Companies, members and addresses

export async function insertCustomer(trx: Trx, customer: Insertable<CustomersTable>): Promise<void> {
  await trx.insertInto("customers").values(customer).execute();
}

export function selectCustomer(db: Db, id: CustomerId): Promise<Selectable<CustomersTable> | undefined> {
  return db.selectFrom("customers").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Adds a member, or updates the role of an existing one. */
export async function upsertMember(trx: Trx, member: Insertable<MembersTable>): Promise<void> {
  await trx
    .insertInto("members")
    .values(member)
    .onConflict((oc) => oc.columns(["customer_id", "user_id"]).doUpdateSet({ role: member.role }))
    .execute();
}

function memberships(db: Db, userId: UserId) {
  return db
    .selectFrom("members")
    .innerJoin("customers", "customers.id", "members.customer_id")
    .select(["customers.id", "customers.name", "customers.country", "members.role"])
    .where("members.user_id", "=", userId)
    .orderBy("members.created_at")
    .orderBy("members.customer_id");
}

/** Oldest first. */
export function selectMemberships(db: Db, userId: UserId) {
  return memberships(db, userId).execute();
}

export function selectMembership(db: Db, userId: UserId, customerId: CustomerId) {
  return memberships(db, userId).where("members.customer_id", "=", customerId).executeTakeFirst();
}

/** The fields of an address, by their names in code. */
export interface AddressFields {
  /** The GSTIN, when the company is registered. */
  gstCode: string | null;
  addressLine1: string;
  addressLine2: string;
  city: string;
  state: string;
  pincode: string;
  country: Country;
  organisationRegistrationNumber: string;
  email: string;
  firstName: string;
  lastName: string;
  phone: string;
}

export interface Address extends AddressFields {
  id: AddressId;
}

/** An address's fields under the database's column names. */
export function addressRow(fields: AddressFields) {
  return {
    gst_code: fields.gstCode,
    add1: fields.addressLine1,
    add2: fields.addressLine2,
    city: fields.city,
    state: fields.state,
    pincode: fields.pincode,
    country: fields.country,
    organisation_registration_number: fields.organisationRegistrationNumber,
    email: fields.email,
    first_name: fields.firstName,
    last_name: fields.lastName,
    phone: fields.phone,
  };
}

function toAddress(row: AddressRow): Address {
  return {
    id: row.id,
    gstCode: row.gst_code,
    addressLine1: row.add1,
    addressLine2: row.add2,
    city: row.city,
    state: row.state,
    pincode: row.pincode,
    country: row.country,
    organisationRegistrationNumber: row.organisation_registration_number,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    phone: row.phone,
  };
}

export async function insertAddress(trx: Trx, customerId: CustomerId, address: Address): Promise<void> {
  await trx
    .insertInto("addresses")
    .values({ id: address.id, customer_id: customerId, ...addressRow(address) })
    .execute();
}

/** Newest first. */
export async function selectAddresses(db: Db, customerId: CustomerId): Promise<Address[]> {
  const rows = await db
    .selectFrom("addresses")
    .selectAll()
    .where("customer_id", "=", customerId)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
  return rows.map(toAddress);
}

export async function selectAddress(db: Db, customerId: CustomerId, id: AddressId): Promise<Address | null> {
  const row = await db
    .selectFrom("addresses")
    .selectAll()
    .where("customer_id", "=", customerId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : toAddress(row);
}

// One-time tokens

export async function insertToken(db: Db, token: Insertable<OneTimeTokensTable>): Promise<void> {
  await db.insertInto("one_time_tokens").values(token).execute();
}

export interface TokenHolder {
  user_id: UserId;
  order_id: OrderId | null;
}

/** The holder of a token that is still usable at `now`. */
export function selectLiveToken(
  db: Db,
  purpose: TokenPurpose,
  hash: string,
  now: Date,
): Promise<TokenHolder | undefined> {
  return db
    .selectFrom("one_time_tokens")
    .select(["user_id", "order_id"])
    .where("hash", "=", hash)
    .where("purpose", "=", purpose)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .where("user_id", "is not", null)
    .$narrowType<TokenHolder>()
    .executeTakeFirst();
}

/** The order of a token without a user, if the token is still usable at `now`. */
export async function selectOrderOfToken(
  db: Db,
  purpose: TokenPurpose,
  hash: string,
  now: Date,
): Promise<OrderId | null> {
  const row = await db
    .selectFrom("one_time_tokens")
    .select("order_id")
    .where("hash", "=", hash)
    .where("purpose", "=", purpose)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row?.order_id ?? null;
}

/** Consumes a token that is still usable. Of two concurrent callers, only one gets the holder. */
export function spendToken(
  trx: Trx,
  purpose: TokenPurpose,
  hash: string,
  now: Date,
): Promise<TokenHolder | undefined> {
  return trx
    .updateTable("one_time_tokens")
    .set({ used_at: now })
    .where("hash", "=", hash)
    .where("purpose", "=", purpose)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .where("user_id", "is not", null)
    .returning(["user_id", "order_id"])
    .$narrowType<TokenHolder>()
    .executeTakeFirst();
}

/** Consumes all remaining tokens of a user. */
export async function spendTokensOf(trx: Trx, userId: UserId, now: Date): Promise<void> {
  await trx
    .updateTable("one_time_tokens")
    .set({ used_at: now })
    .where("user_id", "=", userId)
    .where("used_at", "is", null)
    .execute();
}

// Audit

export async function insertAuditEntry(db: Db, entry: Insertable<AuditLogTable>): Promise<void> {
  await db.insertInto("audit_log").values(entry).execute();
}
