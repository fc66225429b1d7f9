/**
 * Replaces an invoice by a corrected one at its buyer's request: a credit note cancels the old one, a new one repeats it with the
 * error corrected, and no money moves (docs/decisions/invoices.md#corrected-invoices). One transaction, so that a rollback leaves no
 * gap in the numbers. A repeated request is recognised by the number of the invoice that the buyer saw.
 */
import { isDeepStrictEqual } from "node:util";
import type { Address } from "#db/accounts/customers.ts";
import { readRegistration } from "#db/accounts/gst-registrations.ts";
import { findOpenCancellation } from "#db/billing/cancellations.ts";
import { hasRefundNote } from "#db/billing/credit-notes.ts";
import { findEInvoice } from "#db/billing/e-invoices.ts";
import { allocateSerial, insertInvoice, markReplaced } from "#db/billing/invoices.ts";
import { type AddressId, type CorrectionId, newId, type OrderId, parseId } from "#db/ids.ts";
import type { Order, OrderReferences } from "#db/orders/order.ts";
import { findLockHolder } from "#db/orders/subscription-lock.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { findCustomer, getAddress, listAddresses } from "#server/accounts/customers.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { DomainError, notFound, wrongField } from "#server/foundation/errors.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import { queueMail } from "#server/foundation/outbox/mail.ts";
import { mayOrder, requireBuyer } from "#server/orders/draft.ts";
import { lockOrderFor, mayOpenOrder, type Requester } from "#server/orders/find.ts";
import { moveOrder } from "#server/orders/order-lifecycle.ts";
import { isPaid } from "#server/orders/payment-state.ts";
import { isZone } from "#server/orders/supply.ts";
import type { Env } from "#server/platform/env.ts";
import { listCopyRecipients, queueCopies } from "./copies.ts";
import {
  correctedFacts,
  isWithinGstCreditDeadline,
  keepsTax,
  listCorrectedParts,
} from "./correction-rules.ts";
import { issueCorrectionCreditNote } from "./credit-note.ts";
import { addressLinesOf, type CorrectedRecipient, type InvoiceFacts, withRecipient } from "./facts.ts";
import { findInvoice, findInvoiceByNumber, type Invoice, invoicesOf } from "./issue.ts";
import { invoiceNumber, seriesOf } from "./number.ts";
import { queueRegistration, type RegistrationSettings } from "./registration-queue.ts";
import { type Sellers, supplierOf } from "./supplier.ts";

type CorrectionSettings = Sellers &
  RegistrationSettings &
  Pick<Env, "INVOICE_CORRECTIONS" | "ANNUAL_RETURNS">;

/** The requested changes to an invoice. */
export interface CorrectionRequest {
  /** Number of the invoice that the buyer saw. */
  invoice: string;
  references: OrderReferences;
  /** Id of the company's address to invoice to; null keeps the recipient. */
  place: string | null;
}

/**
 * Issues the credit note and the corrected invoice. Repeating the same request changes nothing.
 * @returns the corrected invoice
 * @throws DomainError not_found for another's order; forbidden for a viewer; bad_request on the field concerned; conflict with
 * the reason when it is not possible
 */
export async function correctInvoice(
  trx: Trx,
  settings: CorrectionSettings,
  {
    orderId,
    requester,
    request,
    now,
  }: { orderId: OrderId; requester: Requester; request: CorrectionRequest; now: Date },
): Promise<Invoice> {
  const { order, requester: current } = await lockOrderFor(trx, orderId, requester);
  requireBuyer(current);
  const invoice = await findInvoice(trx, orderId);
  if (invoice === null) throw new DomainError("conflict", msg("corrections.none"));
  const recipient = request.place === null ? null : await recipientAt(trx, order, request.place);
  if (request.invoice !== invoice.number) return correctedAlready(trx, order, request, recipient);
  const refusal = await whyNoCorrection(trx, settings, order, invoice, now);
  if (refusal !== null) throw new DomainError("conflict", refusal);
  if (recipient !== null && !keepsTax(invoice.facts, recipient, invoice.language))
    throw wrongField("place", msg("corrections.otherTax"));
  if (recipient !== null && recipient.gstin !== null) await requireRegistered(trx, recipient.gstin);
  const facts = correctedFacts(invoice, { references: request.references, recipient });
  if (listCorrectedParts(invoice.facts, facts).length === 0)
    throw new DomainError("conflict", msg("corrections.nothing"));
  await moveOrder(trx, order, { references: request.references, removedAt: order.removedAt });
  return replace(trx, settings, { order, invoice, facts, requester, now });
}

async function replace(
  trx: Trx,
  settings: CorrectionSettings,
  change: { order: Order; invoice: Invoice; facts: InvoiceFacts; requester: Requester; now: Date },
): Promise<Invoice> {
  const { order, invoice: former, facts, requester, now } = change;
  const { id: orderId } = order;
  const parts = listCorrectedParts(former.facts, facts).map((part) => msg(`corrections.${part}`));
  const readers = await listCopyRecipients(trx, order, "invoice");
  const series = seriesOf(order.country, now, { isGst: facts.supply !== undefined });
  const { serial, issuedAt } = await allocateSerial(trx, series, now);
  const number = invoiceNumber(series, serial);
  const { language } = former;
  const invoice: Invoice = { number, orderId, issuedAt, language, facts, replacedBy: null };
  if (!(await markReplaced(trx, former.number, number)))
    throw new RangeError(`Invoice ${former.number} was replaced under the order's lock`);
  await insertInvoice(trx, { ...invoice, series, serial });
  const id = newId<CorrectionId>();
  const reason = msg("corrections.reason", { parts, number });
  const note = await issueCorrectionCreditNote(trx, settings, {
    id,
    order,
    invoice: former,
    readers,
    reason,
    now,
  });
  const isRegistered = await queueRegistration(trx, settings, { ...invoice, kind: "INV" });
  if (!isRegistered) await queueCopies(trx, { orderId, number, kind: "invoice" }, readers);
  await recordAudit(trx, {
    userId: requester.userId,
    action: "invoice.correct",
    subject: `order:${orderId}`,
    data: { from: former.number, to: number, creditNote: note.number },
  });
  if (order.account !== null)
    await queueMail(trx, {
      kind: "invoice-corrected",
      dedupeKey: `invoice-corrected:${number}`,
      recipient: order.account.email,
      userId: order.userId,
      orderId,
      data: { number, replaced: former.number, creditNoteId: note.id },
    });
  return invoice;
}

/** Finds the result of the same request made before. @throws DomainError conflict when the invoice was corrected differently */
async function correctedAlready(
  trx: Trx,
  { id: orderId }: Order,
  { invoice: number, references }: CorrectionRequest,
  recipient: CorrectedRecipient | null,
): Promise<Invoice> {
  const seen = await findInvoiceByNumber(trx, number);
  const after = seen?.replacedBy == null ? null : await findInvoiceByNumber(trx, seen.replacedBy);
  const isSame =
    seen?.orderId === orderId &&
    after !== null &&
    isDeepStrictEqual(after.facts, correctedFacts(seen, { references, recipient }));
  if (!isSame) throw new DomainError("conflict", msg("corrections.meanwhile"));
  return after;
}

/** Whether the requester may request a corrected invoice of an order, apart from the invoice's state (whyNoCorrection). */
export function mayCorrect(order: Order, requester: Requester): boolean {
  return isPaid(order) && mayOpenOrder(order, requester) && mayOrder(requester);
}

/**
 * Returns the reason why the buyer cannot correct an invoice now, whatever the changes; null when they can.
 * @param invoice the valid one
 */
export async function whyNoCorrection(
  db: Db,
  settings: CorrectionSettings,
  order: Order,
  invoice: Invoice,
  now: Date,
): Promise<MessageDescriptor | null> {
  const { INVOICE_CORRECTIONS: most, ANNUAL_RETURNS: filed } = settings;
  const { paymentStatus, subscriptionId, country } = order;
  if (paymentStatus === "disputed" || paymentStatus === "lost") return msg("corrections.disputed");
  if (paymentStatus !== "completed" || (await hasRefundNote(db, order.id)))
    return msg("corrections.refunded");
  if (subscriptionId !== null && (await isChanging(db, subscriptionId))) return msg("corrections.changing");
  const registration = await findEInvoice(db, invoice.number);
  if (registration?.state === "pending") return msg("corrections.beingRegistered");
  if (registration?.state === "failed") return msg("corrections.refused");
  // A pending cancellation counts as a cancelled registration.
  if (registration !== null && (registration.state !== "final" || registration.cancelReason !== null))
    return msg("corrections.notRegistered");
  const issued = await invoicesOf(db, order.id);
  const [first = invoice] = issued;
  if (issued.length > most) return msg("corrections.tooMany", { count: most });
  if (!isWithinGstCreditDeadline(first, filed, now)) return msg("corrections.tooLate");
  const isSold = settings.sellers.has(country);
  const gstin = isSold ? (supplierOf(settings, country).gst?.gstin ?? null) : null;
  return isSold && gstin === invoice.facts.supplier.gstin ? null : msg("corrections.otherSeller");
}

/** Whether a cancellation or an order is changing the subscription. */
async function isChanging(db: Db, subscriptionId: NonNullable<Order["subscriptionId"]>): Promise<boolean> {
  return (
    (await findOpenCancellation(db, subscriptionId)) !== null ||
    (await findLockHolder(db, subscriptionId)) !== null
  );
}

type CheckedRecipient = CorrectedRecipient & { isZone: boolean };

/**
 * Builds a recipient from an address of the order's company and the company's current name.
 * @throws DomainError not_found for an address of another company
 */
async function recipientAt(
  db: Db,
  { customerId, country }: Order,
  requested: string,
): Promise<CheckedRecipient> {
  const id = parseId<AddressId>(requested);
  const company = customerId === null ? null : await findCustomer(db, customerId);
  if (id === null || company === null) throw notFound("address");
  const place = await getAddress(db, company.id, id);
  if (place.country !== country) throw notFound("address");
  const { gstCode: gstin } = place;
  const registered = gstin === null ? null : await readRegistration(db, gstin);
  return { name: company.name, place, gstin, registered, isZone: isZone(registered?.taxpayerType ?? "") };
}

/** Requires an active GSTIN. @throws DomainError bad_request on the address when the register does not list it as active */
async function requireRegistered(db: Db, gstin: string): Promise<void> {
  const registered = await readRegistration(db, gstin);
  if (registered?.status !== "Active") throw wrongField("place", msg("corrections.unknownGstin", { gstin }));
}

/** A billing address that a corrected invoice may have. */
export interface OfferedBillingAddress {
  id: AddressId;
  /** Name and address as printed on the invoice. */
  lines: string[];
  gstin: string | null;
}

/** Lists the addresses of an order's company that would not change the invoice's tax, each once, without the current one. */
export async function listOfferedBillingAddresses(
  db: Db,
  order: Order,
  invoice: Invoice,
): Promise<OfferedBillingAddress[]> {
  const { customerId, country } = order;
  if (customerId === null) return [];
  const places = (await listAddresses(db, customerId)).filter((place: Address) => place.country === country);
  const offered: OfferedBillingAddress[] = [];
  const listed: unknown[] = [invoice.facts.recipient];
  for (const { id } of places) {
    const recipient = await recipientAt(db, order, id);
    if (!keepsTax(invoice.facts, recipient, invoice.language)) continue;
    const { recipient: said } = withRecipient(invoice.facts, recipient, invoice.language);
    if (listed.some((each) => isDeepStrictEqual(each, said))) continue;
    listed.push(said);
    const { name, place, gstin } = recipient;
    offered.push({ id, lines: [name, ...addressLinesOf(place)], gstin });
  }
  return offered;
}
