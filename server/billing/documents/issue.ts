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
  /** That of its order when it was issued: the document is in it for ever, whoever looks. */
  language: LanguageId;
  facts: InvoiceFacts;
  /** The number of the corrected one that took its place; null for the one that holds. */
  replacedBy: string | null;
}

/**
 * Issues the order's invoice, or returns the one it has. Locks the order, then its series, until the transaction ends.
 * Call it last, so that other payments wait as little as possible.
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
  // A registered one may not be handed out before its registration.
  if (!isRegistered) await queueCopies(trx, { orderId, number, kind: "invoice" }, readers);
  await tellOfLostLetter(trx, sellers, invoice);
  return invoice;
}

/**
 * The invoice of an order, if the requester may see it. An order paid before invoices existed gets one now, with today's
 * date.
 * @param number of one that was replaced; null for the one that holds
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

/** The price was shown, and paid, while a letter of undertaking was in force. Only the operator can make up for one that no longer is. */
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

/** The numbers of the invoices that hold, of the orders that have one. */
export function invoiceNumbersOf(db: Db, orderIds: readonly OrderId[]): Promise<Map<OrderId, string>> {
  return listInvoiceNumbers(db, orderIds);
}

/** The invoice that an order has: the one that holds. */
export async function findInvoice(db: Db, orderId: OrderId): Promise<Invoice | null> {
  const issued = await readInvoice(db, orderId);
  return issued === null ? null : invoiceOf(issued);
}

/** An invoice by its number, whether or not it still holds. */
export async function findInvoiceByNumber(db: Db, number: string): Promise<Invoice | null> {
  const issued = await readInvoiceByNumber(db, number);
  return issued === null ? null : invoiceOf(issued);
}

/** All invoices of an order in the order in which they were issued: the last one holds. */
export async function invoicesOf(db: Db, orderId: OrderId): Promise<Invoice[]> {
  return (await listInvoicesOf(db, orderId)).map(invoiceOf);
}

function invoiceOf(issued: StoredInvoice): Invoice {
  const { language, facts } = issued;
  return { ...issued, language: storedLanguage(language), facts: invoiceFactsSchema.parse(facts) };
}

/** The name of an order's company, for an order without account answers. */
export async function readCompanyName(trx: Trx, { customerId }: Order): Promise<string> {
  const company = customerId === null ? null : await findCustomer(trx, customerId);
  return company?.name ?? "";
}
