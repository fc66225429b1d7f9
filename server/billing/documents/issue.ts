/**
 * Issues one invoice for a paid order, in the transaction that marks it as paid, so that a rollback leaves no gap in the
 * numbers.
 */

import { readRegistration } from "#db/accounts/gst-registrations.ts";
import {
  allocateSerial,
  insertInvoice,
  listInvoiceNumbers,
  listInvoicesOf,
  readInvoice,
  readInvoiceByNumber,
  type StoredInvoice,
} from "#db/billing/invoices.ts";
import type { OrderId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { findCustomer } from "#server/accounts/customers.ts";
import { notFound } from "#server/foundation/errors.ts";
import { type LanguageId, storedLanguage } from "#server/foundation/languages/language.ts";
import { queueOperatorAlert } from "#server/foundation/outbox/mail.ts";
import { findOrder, lockOrder, mayReadDocuments, type Requester } from "#server/orders/find.ts";
import { isPaid } from "#server/orders/payment-state.ts";
import { lutInForce } from "#server/orders/supply.ts";
import type { Context } from "#server/platform/context.ts";
import { listCopyRecipients, queueCopies } from "./copies.ts";
import { type InvoiceFacts, invoiceFacts, invoiceFactsSchema, withRegisteredNames } from "./facts.ts";
import { invoiceNumber, seriesOf } from "./number.ts";
import { queueRegistration, type RegistrationSettings } from "./registration-queue.ts";
import { type Sellers, supplierOf } from "./supplier.ts";

export interface Invoice {
  /** "IN/26-27/000001": at most 16 characters of A-Z, 0-9, "-" and "/". */
  number: string;
  orderId: OrderId;
  issuedAt: Date;
  /** Language of its order at the time of issue; the document stays in it for every reader. */
  language: LanguageId;
  facts: InvoiceFacts;
  /** Number of the corrected invoice that replaced it; null for the valid one. */
  replacedBy: string | null;
}

/**
 * Issues the order's invoice, or returns the existing one. Locks the order, then its series, until the transaction ends. Call
 * it last, so that other payments wait as little as possible.
 * @param now the date of issue, which decides the series
 * @throws RangeError when the order is not paid, which is a bug
 * @throws DomainError not_found when there is no such order
 */
export async function issueInvoice(
  trx: Trx,
  sellers: Sellers & RegistrationSettings,
  orderId: OrderId,
  now: Date,
): Promise<Invoice> {
  const order = await lockOrder(trx, orderId);
  const issued = await findInvoice(trx, orderId);
  if (issued !== null) return issued;
  if (!isPaid(order)) throw new RangeError("Only a paid order has an invoice");
  const language = storedLanguage(order.language);
  const supplier = supplierOf(sellers, order.country);
  const gstin = order.account?.gst_code ?? null;
  const facts = withRegisteredNames(
    invoiceFacts(order, supplier, await readCompanyName(trx, order), language, now),
    gstin === null ? null : await readRegistration(trx, gstin),
  );
  const readers = await listCopyRecipients(trx, order, "invoice");
  const series = seriesOf(order.country, now, { isGst: facts.supply !== undefined });
  const { serial, issuedAt } = await allocateSerial(trx, series, now);
  const number = invoiceNumber(series, serial);
  const invoice = { number, orderId, issuedAt, language, facts, replacedBy: null };
  await insertInvoice(trx, { ...invoice, series, serial });
  const isRegistered = await queueRegistration(trx, sellers, { ...invoice, kind: "INV" });
  // A document that needs registration must not be handed out before it.
  if (!isRegistered) await queueCopies(trx, { orderId, number, kind: "invoice" }, readers);
  await tellOfLostLetter(trx, sellers, invoice);
  return invoice;
}

/**
 * Finds an order's invoice if the requester may see it. An order paid before invoices existed gets one now, with today's date.
 * @param number of a replaced invoice; null for the valid one
 * @throws DomainError not_found when the order is not paid, not of the requester's company, or has no invoice of that number
 */
export async function getInvoiceFor(
  context: Context,
  orderId: OrderId,
  requester: Requester,
  number: string | null = null,
): Promise<Invoice> {
  const { db, env } = context;
  const order = await findOrder(db, orderId);
  if (order === null || !mayReadDocuments(order, requester)) throw notFound("invoice");
  if (number !== null) {
    const requested = await findInvoiceByNumber(db, number);
    if (requested === null || requested.orderId !== orderId) throw notFound("invoice");
    return requested;
  }
  const issued = await findInvoice(db, orderId);
  if (issued !== null) return issued;
  if (!isPaid(order)) throw notFound("invoice");
  return db.transaction().execute((trx) => issueInvoice(trx, env, orderId, new Date()));
}

/**
 * Alerts the operator when an untaxed price was paid under a letter of undertaking that is no longer in force. Only a person
 * can resolve that.
 */
async function tellOfLostLetter(
  trx: Trx,
  { sellers }: Sellers,
  { number, orderId, issuedAt, facts: { country, supply } }: Invoice,
): Promise<void> {
  const seller = sellers.get(country);
  if (supply === undefined || supply.letter === null || seller === undefined) return;
  if (lutInForce(seller, issuedAt) === supply.letter) return;
  await queueOperatorAlert(trx, {
    dedupeKey: `letter-of-undertaking:${number}`,
    orderId,
    what: `Invoice ${number} was issued without tax under letter of undertaking ${supply.letter}, which isn't valid on its date. Check with the accountant.`,
  });
}

/** Maps orders to the numbers of their valid invoices; orders without an invoice are left out. */
export function invoiceNumbersOf(db: Db, orderIds: readonly OrderId[]): Promise<Map<OrderId, string>> {
  return listInvoiceNumbers(db, orderIds);
}

/** Finds an order's valid invoice. */
export async function findInvoice(db: Db, orderId: OrderId): Promise<Invoice | null> {
  const issued = await readInvoice(db, orderId);
  return issued === null ? null : invoiceOf(issued);
}

/** Finds an invoice by its number, valid or replaced. */
export async function findInvoiceByNumber(db: Db, number: string): Promise<Invoice | null> {
  const issued = await readInvoiceByNumber(db, number);
  return issued === null ? null : invoiceOf(issued);
}

/** Lists all invoices of an order in order of issue; the last one is valid. */
export async function invoicesOf(db: Db, orderId: OrderId): Promise<Invoice[]> {
  return (await listInvoicesOf(db, orderId)).map(invoiceOf);
}

function invoiceOf(issued: StoredInvoice): Invoice {
  const { language, facts } = issued;
  return { ...issued, language: storedLanguage(language), facts: invoiceFactsSchema.parse(facts) };
}

/** Reads the name of an order's company, for an order without account answers. */
export async function readCompanyName(trx: Trx, { customerId }: Order): Promise<string> {
  const company = customerId === null ? null : await findCustomer(trx, customerId);
  return company?.name ?? "";
}
