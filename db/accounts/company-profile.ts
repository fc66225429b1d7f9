/** Queries on a company's own details: its addresses, the tax it withholds, and its details on earlier invoices. */
import { sql } from "kysely";
import type { AddressId, CustomerId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";

/** Makes it the company's default from then on. */
export async function makeDefaultAddress(trx: Trx, id: AddressId, at: Date): Promise<void> {
  await trx.updateTable("addresses").set({ made_default_at: at }).where("id", "=", id).execute();
}

export async function deleteAddress(trx: Trx, id: AddressId): Promise<void> {
  await trx.deleteFrom("addresses").where("id", "=", id).execute();
}

/** Tax that a company withholds from its payments. Fields are null if the company has not stated them. */
export interface TaxDetails {
  /** The company's number for paying that tax: in India its TAN. */
  deductorNumber: string | null;
  /** The section of the law, in the company's words. */
  section: string | null;
  rateBasisPoints: number | null;
}

export async function readTaxDetails(db: Db, customerId: CustomerId): Promise<TaxDetails | null> {
  const row = await db
    .selectFrom("company_tax_details")
    .select(["deductor_number as deductorNumber", "section", "rate_basis_points as rateBasisPoints"])
    .where("customer_id", "=", customerId)
    .executeTakeFirst();
  return row ?? null;
}

export async function saveTaxDetails(
  trx: Trx,
  customerId: CustomerId,
  { deductorNumber, section, rateBasisPoints }: TaxDetails,
): Promise<void> {
  const said = {
    deductor_number: deductorNumber,
    section,
    rate_basis_points: rateBasisPoints,
    changed_at: new Date(),
  };
  await trx
    .insertInto("company_tax_details")
    .values({ customer_id: customerId, ...said })
    .onConflict((oc) => oc.column("customer_id").doUpdateSet(said))
    .execute();
}

/** Invoices of a company with the same recipient details. */
export interface InvoicedIdentity {
  /** Recipient of the invoices, as stored. */
  recipient: unknown;
  invoices: number;
  /** Number of the newest of them. */
  newest: string;
}

/** Lists the distinct recipient details on a company's newest invoices, newest first. @param most number of invoices to read */
export async function listInvoicedIdentities(
  db: Db,
  customerId: CustomerId,
  most: number,
): Promise<InvoicedIdentity[]> {
  const { rows } = await sql<InvoicedIdentity>`
    select recipient, count(*)::int as invoices, (array_agg(number order by issued_at desc))[1] as newest
    from (
      select i.facts->'recipient' as recipient, i.number, i.issued_at
      from orders o join invoices i on i.order_id = o.id
      where o.customer_id = ${customerId} and i.replaced_by is null
      order by i.issued_at desc limit ${most}) newest
    group by recipient
    order by max(issued_at) desc`.execute(db);
  return rows;
}
