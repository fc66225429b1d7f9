/** Queries on customers, their members and their addresses. No rules live here. */
import { sql } from "kysely";
import type { AddressId, CustomerId, UserId } from "#db/ids.ts";
import type { AddressRow } from "#db/tables/accounts.ts";
import type { Country, MemberRole } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";

export interface Customer {
  id: CustomerId;
  name: string;
  country: Country;
}

export async function insertCustomer(trx: Trx, { id, name, country }: Customer): Promise<void> {
  await trx.insertInto("customers").values({ id, name, country }).execute();
}

export function selectCustomer(db: Db, id: CustomerId): Promise<Customer | undefined> {
  return db.selectFrom("customers").select(["id", "name", "country"]).where("id", "=", id).executeTakeFirst();
}

/**
 * Finds the companies that a word identifies by id, GSTIN, an owner's email or the whole name; at most two.
 * @param word.id null when the word is not an id
 */
export async function findCustomersByIdentifier(
  db: Db,
  { text, id }: { text: string; id: CustomerId | null },
): Promise<Customer[]> {
  const { rows } = await sql<Customer>`
    select id, name, country from customers where id in (
      select id from customers where id = ${id}
      union select customer_id from addresses where gst_code = ${text.toUpperCase()}
      union select m.customer_id from users u join members m on m.user_id = u.id and m.role = 'owner'
        where lower(u.email) = ${text.toLowerCase()}
      union select id from customers where lower(name) = ${text.toLowerCase()}
    ) limit 2`.execute(db);
  return rows;
}

/** Whether one of a company's owners has a proven mailbox. */
export async function hasVerifiedOwner(db: Db, id: CustomerId): Promise<boolean> {
  const owner = await db
    .selectFrom("members")
    .innerJoin("users", "users.id", "members.user_id")
    .select("users.id")
    .where("members.customer_id", "=", id)
    .where("members.role", "=", "owner")
    .where("users.email_verified_at", "is not", null)
    .where("users.disabled_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return owner !== undefined;
}

/** Adds a member, or updates the role of an existing one. */
export async function upsertMember(
  trx: Trx,
  { customerId, userId, role }: { customerId: CustomerId; userId: UserId; role: MemberRole },
): Promise<void> {
  await trx
    .insertInto("members")
    .values({ customer_id: customerId, user_id: userId, role })
    .onConflict((oc) => oc.columns(["customer_id", "user_id"]).doUpdateSet({ role }))
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

/** Lists a user's memberships, oldest first. */
export function selectMemberships(db: Db, userId: UserId) {
  return memberships(db, userId).execute();
}

export function selectMembership(db: Db, userId: UserId, customerId: CustomerId) {
  return memberships(db, userId).where("members.customer_id", "=", customerId).executeTakeFirst();
}

/** Fields of an address, by their names in code. */
export interface AddressFields {
  /** GSTIN, when the company is registered. */
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

/** Maps an address's fields to the database's column names. */
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

/** Lists the default address first, then the others, newest first. */
export async function selectAddresses(db: Db, customerId: CustomerId): Promise<Address[]> {
  const rows = await db
    .selectFrom("addresses")
    .selectAll()
    .where("customer_id", "=", customerId)
    .orderBy("made_default_at", (order) => order.desc().nullsLast())
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
