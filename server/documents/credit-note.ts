/**
 * Issues one credit note for a refund of an invoiced payment, in the transaction that decides on the refund, so that a rollback
 * leaves no gap in the numbers. The invoice stays as it is.
 */
import {
  insertCreditNote,
  type ListedCreditNote,
  listCreditNotes,
  readCreditNote,
  readCreditNotesOf,
  type StoredCreditNote,
} from "#db/credit-notes.ts";
import type { OrderId, RefundId } from "#db/ids.ts";
import { takeSerial } from "#db/invoices.ts";
import type { Money } from "#db/money.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { Context } from "#server/context.ts";
import { notFound } from "#server/errors.ts";
import { type LanguageId, storedLanguage } from "#server/languages/language.ts";
import { type Told, tell } from "#server/languages/text.ts";
import { type Asker, findOrder, lockOrder, maySee } from "#server/orders/find.ts";
import { isPaid } from "#server/orders/order.ts";
import { queueCopies, readersOf } from "./copies.ts";
import { type CreditNoteFacts, creditNoteFacts, creditNoteFactsSchema } from "./credit-note-facts.ts";
import { findInvoice, issueInvoice } from "./issue.ts";
import { creditNoteSeriesOf, invoiceNumber } from "./number.ts";
import { type RegistrationSettings, registerLater } from "./registration.ts";
import type { Sellers } from "./supplier.ts";

export type { ListedCreditNote };

export interface CreditNote {
  /** "IN/C26-27/000001": at most 16 characters of A-Z, 0-9, "-" and "/". */
  number: string;
  refundId: RefundId;
  orderId: OrderId;
  issuedAt: Date;
  /** That of its invoice. */
  language: LanguageId;
  facts: CreditNoteFacts;
}

/**
 * Issues the refund's credit note, or returns the one it has. Locks the order, then the series, until the transaction ends. An
 * order paid before invoices existed gets its invoice first.
 * @param refund.amount with tax, from one minor unit to what is left of the invoice after earlier credit notes
 * @param refund.licences how many were given back; left out where money alone goes back
 * @param refund.now the date of issue, which decides the series
 * @returns null when the order has no invoice
 * @throws RangeError for more than is left of the invoice, or in another currency
 * @throws DomainError not_found when there is no such order
 */
export async function issueCreditNote(
  trx: Trx,
  sellers: Sellers & RegistrationSettings,
  refund: {
    orderId: OrderId;
    refundId: RefundId;
    amount: Money;
    reason: Told | string;
    licences?: number | undefined;
    now: Date;
  },
): Promise<CreditNote | null> {
  const { orderId, refundId, amount, reason, licences, now } = refund;
  const order = await lockOrder(trx, orderId);
  const issued = await findCreditNote(trx, refundId);
  if (issued !== null) return issued;
  const invoice = isPaid(order)
    ? await issueInvoice(trx, sellers, orderId, now)
    : await findInvoice(trx, orderId);
  if (invoice === null) return null;
  const { language, facts: invoiced } = invoice;
  if (amount.currency !== invoiced.currency)
    throw new RangeError(`A credit note in ${amount.currency} for an invoice in ${invoiced.currency}`);
  const earlier = (await readCreditNotesOf(trx, invoice.number)).map((row) => noteOf(row).facts);
  const facts = creditNoteFacts(invoice, earlier, {
    amountMinor: amount.minor,
    reason: tell(language, reason),
    licences,
  });
  const readers = await readersOf(trx, order, "credit-note");
  const series = creditNoteSeriesOf(order.country, now, { isGst: facts.supply !== undefined });
  const { serial, issuedAt } = await takeSerial(trx, series, now);
  const note = { number: invoiceNumber(series, serial), refundId, orderId, issuedAt, language, facts };
  await insertCreditNote(trx, { ...note, invoiceNumber: invoice.number, series, serial, total: amount });
  const precedes = { number: invoice.number, issuedAt: invoice.issuedAt };
  const isRegistered = await registerLater(trx, sellers, { ...note, kind: "CRN", precedes });
  if (!isRegistered) await queueCopies(trx, { orderId, number: note.number, kind: "credit-note" }, readers);
  return note;
}

/** The credit note of a refund; null when it has none. */
export async function findCreditNote(db: Db, refundId: RefundId): Promise<CreditNote | null> {
  const stored = await readCreditNote(db, refundId);
  return stored === null ? null : noteOf(stored);
}

/**
 * The credit note of a refund, if the asker may see it: whoever may read the invoice may.
 * @throws DomainError not_found when there is none, or when it is not of the asker's company
 */
export async function getCreditNoteFor(
  { db }: Context,
  refundId: RefundId,
  asker: Asker,
): Promise<CreditNote> {
  const note = await findCreditNote(db, refundId);
  const order = note === null ? null : await findOrder(db, note.orderId);
  if (note === null || order === null || !maySee(order, asker)) throw notFound("creditNote");
  return note;
}

/** The credit notes of these orders, oldest first. */
export function creditNotesOf(db: Db, orderIds: readonly OrderId[]): Promise<ListedCreditNote[]> {
  return listCreditNotes(db, orderIds);
}

function noteOf(stored: StoredCreditNote): CreditNote {
  const { language, facts } = stored;
  return { ...stored, language: storedLanguage(language), facts: creditNoteFactsSchema.parse(facts) };
}
