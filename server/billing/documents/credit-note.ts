/**
 * Issues one credit note for a refund of an invoiced payment, in the transaction that decides on the refund, or for an invoice
 * that a corrected one replaces; a rollback leaves no gap in the numbers. The invoice itself does not change.
 */
import type { BillingContact } from "#db/accounts/billing-contacts.ts";
import {
  insertCreditNote,
  type ListedCreditNote,
  listCreditNotes,
  listCreditNotesOfInvoice,
  readCreditNote,
  readCreditNoteByNumber,
  type StoredCreditNote,
} from "#db/billing/credit-notes.ts";
import { allocateSerial } from "#db/billing/invoices.ts";
import type { CorrectionId, CreditNoteId, OrderId, RefundId } from "#db/ids.ts";
import { type Money, money } from "#db/money.ts";
import type { Order } from "#db/orders/order.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { notFound } from "#server/foundation/errors.ts";
import { type LanguageId, storedLanguage } from "#server/foundation/languages/language.ts";
import { type MessageDescriptor, translate } from "#server/foundation/languages/text.ts";
import { findOrder, lockOrder, mayReadDocuments, type Requester } from "#server/orders/find.ts";
import { isPaid } from "#server/orders/payment-state.ts";
import type { Context } from "#server/platform/context.ts";
import { listCopyRecipients, queueCopies } from "./copies.ts";
import { type CreditNoteFacts, creditNoteFacts, creditNoteFactsSchema } from "./credit-note-facts.ts";
import { findInvoice, type Invoice, issueInvoice } from "./issue.ts";
import { creditNoteSeriesOf, invoiceNumber } from "./number.ts";
import { queueRegistration, type RegistrationSettings } from "./registration-queue.ts";
import type { Sellers } from "./supplier.ts";

export type { ListedCreditNote };

export interface CreditNote {
  /** "IN/C26-27/000001": at most 16 characters of A-Z, 0-9, "-" and "/". */
  number: string;
  /** Id under which it is opened: of its refund, or of the correction of its invoice. */
  id: CreditNoteId;
  /** Null for a credit note of an invoice correction. */
  refundId: RefundId | null;
  orderId: OrderId;
  issuedAt: Date;
  /** The invoice's language. */
  language: LanguageId;
  facts: CreditNoteFacts;
}

/**
 * Issues the refund's credit note, or returns the existing one. Locks the order, then the series, until the transaction ends.
 * An order paid before invoices existed gets its invoice first.
 * @param refund.amount with tax, from one minor unit to the rest of the invoice after earlier credit notes
 * @param refund.licences number of returned licences; left out for a refund of money only
 * @param refund.now the date of issue, which decides the series
 * @returns null when the order has no invoice
 * @throws RangeError for more than the rest of the invoice, or in another currency
 * @throws DomainError not_found when there is no such order
 */
export async function issueCreditNote(
  trx: Trx,
  sellers: Sellers & RegistrationSettings,
  refund: {
    orderId: OrderId;
    refundId: RefundId;
    amount: Money;
    reason: MessageDescriptor | string;
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
  const earlier = (await listCreditNotesOfInvoice(trx, invoice.number)).map((row) => noteOf(row).facts);
  const readers = await listCopyRecipients(trx, order, "credit-note");
  const written = { order, invoice, earlier, readers, cause: { refundId }, amount, reason, licences, now };
  return writeCreditNote(trx, sellers, written);
}

/**
 * Issues the credit note that cancels an invoice replaced by a corrected one. No money moves. The caller holds the order's
 * lock.
 * @param correction.invoice an invoice without earlier credits
 * @param correction.readers contacts who receive a copy, read before the series of the corrected invoice was locked
 * @param correction.now the date of issue, which decides the series
 */
export function issueCorrectionCreditNote(
  trx: Trx,
  sellers: RegistrationSettings,
  correction: {
    id: CorrectionId;
    order: Order;
    invoice: Invoice;
    readers: readonly BillingContact[];
    reason: MessageDescriptor;
    now: Date;
  },
): Promise<CreditNote> {
  const { id: correctionId, invoice, ...rest } = correction;
  const amount = money(invoice.facts.totalMinor, invoice.facts.currency);
  return writeCreditNote(trx, sellers, { ...rest, invoice, earlier: [], cause: { correctionId }, amount });
}

async function writeCreditNote(
  trx: Trx,
  sellers: RegistrationSettings,
  written: {
    order: Order;
    invoice: Invoice;
    earlier: readonly CreditNoteFacts[];
    readers: readonly BillingContact[];
    cause: { refundId: RefundId } | { correctionId: CorrectionId };
    amount: Money;
    reason: MessageDescriptor | string;
    licences?: number | undefined;
    now: Date;
  },
): Promise<CreditNote> {
  const { order, invoice, earlier, readers, cause, amount, reason, licences, now } = written;
  const { orderId, language, facts: invoiced } = invoice;
  if (amount.currency !== invoiced.currency)
    throw new RangeError(`A credit note in ${amount.currency} for an invoice in ${invoiced.currency}`);
  const facts = creditNoteFacts(invoice, earlier, {
    amountMinor: amount.minor,
    reason: translate(language, reason),
    licences,
  });
  const series = creditNoteSeriesOf(order.country, now, { isGst: facts.supply !== undefined });
  const { serial, issuedAt } = await allocateSerial(trx, series, now);
  const { refundId, correctionId } = { refundId: null, correctionId: null, ...cause };
  const said = { number: invoiceNumber(series, serial), refundId, orderId, issuedAt, language, facts };
  const note: CreditNote = { ...said, id: "refundId" in cause ? cause.refundId : cause.correctionId };
  await insertCreditNote(trx, {
    ...said,
    correctionId,
    invoiceNumber: invoice.number,
    series,
    serial,
    total: amount,
  });
  const precedes = { number: invoice.number, issuedAt: invoice.issuedAt };
  const isRegistered = await queueRegistration(trx, sellers, { ...note, kind: "CRN", precedes });
  if (!isRegistered) await queueCopies(trx, { orderId, number: note.number, kind: "credit-note" }, readers);
  return note;
}

/** Finds the credit note of a refund, or of a correction; null when there is none. */
export async function findCreditNote(db: Db, id: CreditNoteId): Promise<CreditNote | null> {
  const stored = await readCreditNote(db, id);
  return stored === null ? null : noteOf(stored);
}

/**
 * Returns the credit note of a refund or of a correction, if the requester may read its invoice.
 * @throws DomainError not_found when there is none, or when it is not of the requester's company
 */
export async function getCreditNoteFor(
  { db }: Context,
  id: CreditNoteId,
  requester: Requester,
): Promise<CreditNote> {
  const note = await findCreditNote(db, id);
  const order = note === null ? null : await findOrder(db, note.orderId);
  if (note === null || order === null || !mayReadDocuments(order, requester)) throw notFound("creditNote");
  return note;
}

/** A credit note with the invoice that it is booked to, and the number of the note that replaced it. */
export type NumberedCreditNote = CreditNote &
  Pick<
    NonNullable<Awaited<ReturnType<typeof readCreditNoteByNumber>>>,
    "invoiceNumber" | "replacedBy" | "correctionId"
  >;

/** Finds a credit note by its number, valid or not. */
export async function findCreditNoteByNumber(db: Db, number: string): Promise<NumberedCreditNote | null> {
  const stored = await readCreditNoteByNumber(db, number);
  if (stored === null) return null;
  const { invoiceNumber, replacedBy, correctionId } = stored;
  return { ...noteOf(stored), invoiceNumber, replacedBy, correctionId };
}

/** Lists the valid credit notes of an invoice that were issued before this one. */
export async function listEarlierNotes(
  db: Db,
  { number, invoiceNumber }: { number: string; invoiceNumber: string },
): Promise<CreditNoteFacts[]> {
  const notes = await listCreditNotesOfInvoice(db, invoiceNumber);
  const index = notes.findIndex((each) => each.number === number);
  return notes.slice(0, Math.max(0, index)).map((row) => noteOf(row).facts);
}

/** Lists the valid credit notes of these orders, oldest first. */
export function creditNotesOf(db: Db, orderIds: readonly OrderId[]): Promise<ListedCreditNote[]> {
  return listCreditNotes(db, orderIds);
}

function noteOf(stored: StoredCreditNote): CreditNote {
  const { language, facts } = stored;
  return { ...stored, language: storedLanguage(language), facts: creditNoteFactsSchema.parse(facts) };
}

/** Finds the credit note that cancels a replaced invoice; null for a valid invoice, and when the note is no longer valid. */
export async function findReplacingCreditNote(
  db: Db,
  { number, replacedBy }: Pick<Invoice, "number" | "replacedBy">,
): Promise<Pick<CreditNote, "number" | "id"> | null> {
  if (replacedBy === null) return null;
  const [note] = await listCreditNotesOfInvoice(db, number);
  return note === undefined ? null : { number: note.number, id: note.id };
}
