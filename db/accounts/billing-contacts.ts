/** Queries on billing contacts, who get a company's documents in addition to the buyer. No rules live here. */
import { sql } from "kysely";
import type { BillingContactId, CustomerId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";

export interface BillingContact {
  id: BillingContactId;
  customerId: CustomerId;
  /** The company's name. */
  company: string;
  email: string;
  getsInvoices: boolean;
  getsProformas: boolean;
  /** Null until its reader has agreed; before that only the question is sent. */
  confirmedAt: Date | null;
}

const contacts = (db: Db) =>
  db
    .selectFrom("billing_contacts")
    .innerJoin("customers", "customers.id", "billing_contacts.customer_id")
    .select([
      "billing_contacts.id",
      "billing_contacts.customer_id as customerId",
      "customers.name as company",
      "billing_contacts.email",
      "billing_contacts.gets_invoices as getsInvoices",
      "billing_contacts.gets_proformas as getsProformas",
      "billing_contacts.confirmed_at as confirmedAt",
    ]);

/** Lists a company's contacts, oldest first. */
export function listBillingContacts(db: Db, customerId: CustomerId): Promise<BillingContact[]> {
  return contacts(db)
    .where("billing_contacts.customer_id", "=", customerId)
    .orderBy("billing_contacts.created_at")
    .orderBy("billing_contacts.id")
    .execute();
}

export async function readBillingContact(db: Db, id: BillingContactId): Promise<BillingContact | null> {
  return (await contacts(db).where("billing_contacts.id", "=", id).executeTakeFirst()) ?? null;
}

/** Returns the contact of a link that is still valid. */
export async function readContactOfLink(db: Db, hash: string, now: Date): Promise<BillingContact | null> {
  const found = await contacts(db)
    .innerJoin("billing_contact_links", "billing_contact_links.contact_id", "billing_contacts.id")
    .where("billing_contact_links.hash", "=", hash)
    .where("billing_contact_links.expires_at", ">", now)
    .executeTakeFirst();
  return found ?? null;
}

/** Adds a contact, or changes which documents an existing one gets. @returns the contact's id */
export async function saveBillingContact(
  trx: Trx,
  contact: Omit<BillingContact, "company" | "confirmedAt">,
): Promise<BillingContactId> {
  const gets = { gets_invoices: contact.getsInvoices, gets_proformas: contact.getsProformas };
  const row = await trx
    .insertInto("billing_contacts")
    .values({ id: contact.id, customer_id: contact.customerId, email: contact.email, ...gets })
    .onConflict((oc) => oc.expression(sql`customer_id, lower(email)`).doUpdateSet(gets))
    .returning("id")
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function confirmBillingContact(trx: Trx, id: BillingContactId, now: Date): Promise<void> {
  await trx
    .updateTable("billing_contacts")
    .set({ confirmed_at: now })
    .where("id", "=", id)
    .where("confirmed_at", "is", null)
    .execute();
}

export async function deleteBillingContact(trx: Trx, id: BillingContactId): Promise<void> {
  await trx.deleteFrom("billing_contacts").where("id", "=", id).execute();
}

export async function insertContactLink(
  db: Db,
  link: { hash: string; contactId: BillingContactId; expiresAt: Date },
): Promise<void> {
  await db
    .insertInto("billing_contact_links")
    .values({ hash: link.hash, contact_id: link.contactId, expires_at: link.expiresAt })
    .execute();
}
