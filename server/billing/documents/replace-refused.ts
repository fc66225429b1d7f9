/**
 * Gives a refused document a new number and today's date when the portal no longer accepts it under the old one. The old number
 * stays in its series as a document without effect.
 */
import { insertCreditNote } from "#db/billing/credit-notes.ts";
import { allocateSerial, insertInvoice, markReplaced } from "#db/billing/invoices.ts";
import { markNoteReplaced, markWithdrawn, moveCreditNotes } from "#db/billing/refused-documents.ts";
import { type CorrectionId, newId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import type { Trx } from "#db/tables/index.ts";
import type { Env } from "#server/platform/env.ts";
import { announceDocument } from "./complete-registration.ts";
import { creditNoteFactsSchema } from "./credit-note-facts.ts";
import type { InvoiceFacts } from "./facts.ts";
import { creditNoteSeriesOf, invoiceNumber, seriesOf } from "./number.ts";
import { type Corrected, precedingInvoice, type RefusedDocument } from "./refused.ts";
import { queueRegistration } from "./registration-queue.ts";

/**
 * Issues the document again under a new number and withdraws the refused one. The caller holds the order's lock.
 * @returns null, without any change, when it has changed since it was read
 */
export async function replaceRefused(
  trx: Trx,
  settings: Env,
  { refused, facts, now }: { refused: RefusedDocument; facts: InvoiceFacts; now: Date },
): Promise<Corrected | null> {
  const { eInvoice, orderId, note, language } = refused;
  const { number: former, kind } = eInvoice;
  if (!(await markWithdrawn(trx, eInvoice, now))) return null;
  const seller = { isGst: true };
  const series = (note === null ? seriesOf : creditNoteSeriesOf)(facts.country, now, seller);
  const { serial, issuedAt } = await allocateSerial(trx, series, now);
  const number = invoiceNumber(series, serial);
  const issued = { number, orderId, issuedAt, language, series, serial };
  if (note === null) {
    if (!(await markReplaced(trx, former, number)))
      throw new RangeError(`Invoice ${former} was replaced under the order's lock`);
    await insertInvoice(trx, { ...issued, facts });
    await moveCreditNotes(trx, former, number);
  } else {
    await markNoteReplaced(trx, former, number);
    await insertCreditNote(trx, {
      ...issued,
      facts: creditNoteFactsSchema.parse(facts),
      refundId: note.refundId,
      // A credit note of a correction is opened by the id of that correction.
      correctionId: note.refundId === null ? newId<CorrectionId>() : null,
      invoiceNumber: note.invoiceNumber,
      total: money(facts.totalMinor, facts.currency),
    });
  }
  const precedes = note === null ? undefined : precedingInvoice(facts);
  const isRegistering = await queueRegistration(trx, settings, { ...issued, kind, facts, precedes });
  if (!isRegistering) await announceDocument(trx, { number, kind, orderId });
  return { number, isRegistering };
}
