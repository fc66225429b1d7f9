/** Queries on proformas, which ask for a bank transfer; one per payment intent. */
import { type Selectable, sql } from "kysely";
import type { OrderId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { ProformasTable } from "#db/tables/invoices.ts";

/** A proforma as issued, with its facts and its virtual account as stored. */
export interface StoredProforma {
  number: string;
  orderId: OrderId;
  intentId: string;
  issuedAt: Date;
  validUntil: Date;
  language: string;
  facts: unknown;
  /** Null until the virtual account is open. */
  bank: unknown;
  withheldMinor: number;
  /** The certified part of `withheldMinor`. */
  certifiedMinor: number;
  surplusMinor: number;
}

/** SQL: the certified amount in minor units. */
const certified = sql<number>`(
  select coalesce(sum(tds_certificates.amount_minor), 0)::bigint from tds_certificates
  where tds_certificates.proforma_number = proformas.number)`;

const proformas = (db: Db) => db.selectFrom("proformas").selectAll().select(certified.as("certified_minor"));

export async function insertProforma(
  trx: Trx,
  proforma: Omit<StoredProforma, "bank" | "withheldMinor" | "certifiedMinor" | "surplusMinor"> & {
    series: string;
    serial: number;
  },
): Promise<void> {
  await trx
    .insertInto("proformas")
    .values({
      number: proforma.number,
      order_id: proforma.orderId,
      intent_id: proforma.intentId,
      series: proforma.series,
      serial: proforma.serial,
      issued_at: proforma.issuedAt,
      valid_until: proforma.validUntil,
      language: proforma.language,
      facts: JSON.stringify(proforma.facts),
      bank: null,
    })
    .execute();
}

/** Finds an order's newest proforma, whether or not its intent is still open. */
export async function readLatestProforma(db: Db, orderId: OrderId): Promise<StoredProforma | null> {
  const row = await proformas(db)
    .where("order_id", "=", orderId)
    .orderBy("issued_at", "desc")
    .orderBy("serial", "desc")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : proformaOf(row);
}

/** Maps each order to the end date of the transfer that it waits for; other orders are left out. */
export async function readAwaitedTransfers(
  db: Db,
  orderIds: readonly OrderId[],
): Promise<ReadonlyMap<OrderId, Date>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("proformas")
    .innerJoin("payment_intents", "payment_intents.id", "proformas.intent_id")
    .select(["proformas.order_id", "proformas.valid_until"])
    .where("proformas.order_id", "in", orderIds)
    .where("payment_intents.status", "=", "open")
    .execute();
  return new Map(rows.map(({ order_id, valid_until }) => [order_id, valid_until]));
}

/** Finds the proforma from whose payment the buyer withheld tax. */
export async function readWithheldProforma(db: Db, orderId: OrderId): Promise<StoredProforma | null> {
  const row = await proformas(db)
    .where("order_id", "=", orderId)
    .where("withheld_minor", ">", 0)
    .executeTakeFirst();
  return row === undefined ? null : proformaOf(row);
}

export async function readProformaOfIntent(db: Db, intentId: string): Promise<StoredProforma | null> {
  const row = await proformas(db).where("intent_id", "=", intentId).executeTakeFirst();
  return row === undefined ? null : proformaOf(row);
}

export async function readProforma(db: Db, number: string): Promise<StoredProforma | null> {
  const row = await proformas(db).where("number", "=", number).executeTakeFirst();
  return row === undefined ? null : proformaOf(row);
}

/** Stores the virtual account of a proforma. @returns false when another caller was first */
export async function setBankAccount(trx: Trx, number: string, bank: unknown): Promise<boolean> {
  const result = await trx
    .updateTable("proformas")
    .set({ bank: JSON.stringify(bank) })
    .where("number", "=", number)
    .where("bank", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Stores the amount withheld, or paid beyond the proforma, in minor units. */
export async function recordAmountDifference(
  trx: Trx,
  number: string,
  { withheldMinor, surplusMinor }: Pick<StoredProforma, "withheldMinor" | "surplusMinor">,
): Promise<void> {
  await trx
    .updateTable("proformas")
    .set({ withheld_minor: withheldMinor, surplus_minor: surplusMinor })
    .where("number", "=", number)
    .execute();
}

function proformaOf(row: Selectable<ProformasTable> & { certified_minor: number }): StoredProforma {
  return {
    number: row.number,
    orderId: row.order_id,
    intentId: row.intent_id,
    issuedAt: row.issued_at,
    validUntil: row.valid_until,
    language: row.language,
    facts: row.facts,
    bank: row.bank,
    withheldMinor: row.withheld_minor,
    certifiedMinor: row.certified_minor,
    surplusMinor: row.surplus_minor,
  };
}
