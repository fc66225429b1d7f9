/**
 * Registers documents that were issued before their seller had an account at the invoice registration portal, at a person's
 * request, while the portal still accepts them.
 */
import { listCreditNotesIssued } from "#db/billing/credit-notes.ts";
import { findEInvoice } from "#db/billing/e-invoices.ts";
import { listInvoicesIssued } from "#db/billing/invoices.ts";
import type { Db } from "#db/tables/index.ts";
import { type AuditActor, recordAudit } from "#server/foundation/audit.ts";
import { creditNoteFactsSchema } from "./credit-note-facts.ts";
import type { IssuedDocument } from "./e-invoice-body.ts";
import { invoiceFactsSchema } from "./facts.ts";
import { maxRegistrationAgeMs, queueRegistration, type RegistrationSettings } from "./registration-queue.ts";

/** Time for the portal's response, before a document is too old. */
const marginMs = 24 * 60 * 60 * 1_000;

/**
 * Queues every unregistered document younger than 30 days that must be registered, invoices first. Idempotent.
 * @returns their numbers
 */
export async function registerEarlier(
  db: Db,
  settings: RegistrationSettings,
  { by, staffId, reason, now }: AuditActor & { reason?: string; now: Date },
): Promise<string[]> {
  const requested: string[] = [];
  for (const document of await issuedSince(
    db,
    new Date(now.getTime() - maxRegistrationAgeMs + marginMs),
    now,
  )) {
    if ((await findEInvoice(db, document.number)) !== null) continue;
    const isQueued = await db.transaction().execute(async (trx) => {
      if (!(await queueRegistration(trx, settings, document))) return false;
      const subject = `document:${document.number}`;
      const data = { by, ...(reason !== undefined && { reason }) };
      await recordAudit(trx, { userId: null, staffId, action: "document.register", subject, data });
      return true;
    });
    if (isQueued) requested.push(document.number);
  }
  return requested;
}

type Earlier = IssuedDocument & Pick<Parameters<typeof queueRegistration>[2], "orderId">;

async function issuedSince(db: Db, from: Date, now: Date): Promise<Earlier[]> {
  const time = { from, to: new Date(now.getTime() + 1) };
  const invoices = (await listInvoicesIssued(db, time)).map(
    ({ number, orderId, issuedAt, facts }): Earlier => ({
      kind: "INV",
      number,
      orderId,
      issuedAt,
      facts: invoiceFactsSchema.parse(facts),
    }),
  );
  // The credit note of a failed refund credits nothing.
  const holding = (await listCreditNotesIssued(db, time)).filter(({ isCancelled }) => !isCancelled);
  const notes = holding.map(({ number, orderId, issuedAt, facts: stored }): Earlier => {
    const facts = creditNoteFactsSchema.parse(stored);
    const precedes = { number: facts.invoice.number, issuedAt: new Date(facts.invoice.issuedAt) };
    return { kind: "CRN", number, orderId, issuedAt, facts, precedes };
  });
  return [...invoices, ...notes];
}
