/**
 * Proformas, which ask for a bank transfer before there is an invoice. Each has a number of a separate series, an end of
 * validity, and the virtual account for its payment, which is opened after it is issued.
 */
import { z } from "zod";
import { allocateSerial } from "#db/billing/invoices.ts";
import {
  insertProforma,
  readLatestProforma,
  readProforma,
  readProformaOfIntent,
  readWithheldProforma,
  type StoredProforma,
} from "#db/billing/proformas.ts";
import type { OrderId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { type LanguageId, storedLanguage } from "#server/foundation/languages/language.ts";
import { orderNumber } from "#server/orders/number.ts";
import { type InvoiceFacts, invoiceFacts, invoiceFactsSchema } from "./facts.ts";
import { readCompanyName } from "./issue.ts";
import { proformaNumber, proformaSeriesOf } from "./number.ts";
import { type Sellers, supplierOf } from "./supplier.ts";

/** The bank account to transfer to. */
export const bankSchema = z.object({
  beneficiary: z.string(),
  number: z.string(),
  ifsc: z.string(),
  bank: z.string().nullable(),
});
export type Bank = z.infer<typeof bankSchema>;

export interface Proforma {
  /** "PF/IN/26-27/000001" */
  number: string;
  orderId: OrderId;
  intentId: string;
  issuedAt: Date;
  validUntil: Date;
  language: LanguageId;
  facts: InvoiceFacts;
  /** Null until the virtual account is open. */
  bank: Bank | null;
  /** `withheldMinor`: tax that the buyer deducted. `surplusMinor`: amount paid beyond the total. In minor units. */
  withheldMinor: number;
  /** The certified part of `withheldMinor`. */
  certifiedMinor: number;
  surplusMinor: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Issues the proforma of an intent, or returns the existing one. Locks its series until the transaction ends, so call it last.
 * @param validDays counted from `now`
 */
export async function issueProforma(
  trx: Trx,
  sellers: Sellers,
  input: { order: Order; intentId: string; validDays: number; now: Date },
): Promise<Proforma> {
  const { order, intentId, validDays, now } = input;
  const issued = await findProformaOf(trx, intentId);
  if (issued !== null) return issued;
  const language = storedLanguage(order.language);
  const supplier = supplierOf(sellers, order.country);
  const facts = invoiceFacts(order, supplier, await readCompanyName(trx, order), language, now);
  const series = proformaSeriesOf(order.country, now, { isGst: facts.supply !== undefined });
  const { serial, issuedAt } = await allocateSerial(trx, series, now);
  const proforma: Proforma = {
    number: proformaNumber(series, serial),
    orderId: order.id,
    intentId,
    issuedAt,
    validUntil: new Date(now.getTime() + validDays * dayMs),
    language,
    // The paid period begins with the payment, which is still unknown.
    facts: { ...facts, servicePeriod: undefined, orderNumber: orderNumber(order) },
    bank: null,
    withheldMinor: 0,
    certifiedMinor: 0,
    surplusMinor: 0,
  };
  await insertProforma(trx, { ...proforma, series, serial });
  return proforma;
}

/** Finds an order's newest proforma; null when there is none. */
export async function findProforma(db: Db, orderId: OrderId): Promise<Proforma | null> {
  return parsed(await readLatestProforma(db, orderId));
}

/** Finds the proforma from whose payment the buyer withheld tax. */
export async function findWithheldProforma(db: Db, orderId: OrderId): Promise<Proforma | null> {
  return parsed(await readWithheldProforma(db, orderId));
}

export async function findProformaOf(db: Db, intentId: string): Promise<Proforma | null> {
  return parsed(await readProformaOfIntent(db, intentId));
}

export async function findProformaByNumber(db: Db, number: string): Promise<Proforma | null> {
  return parsed(await readProforma(db, number));
}

function parsed(stored: StoredProforma | null): Proforma | null {
  if (stored === null) return null;
  return {
    ...stored,
    language: storedLanguage(stored.language),
    facts: invoiceFactsSchema.parse(stored.facts),
    bank: bankSchema.nullable().parse(stored.bank),
  };
}
