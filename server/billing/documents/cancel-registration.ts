/** Cancels registered documents at the invoice registration portal, within 24 hours of their registration. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { belongsToCorrection } from "#db/billing/credit-notes.ts";
import { findEInvoice, markCancelled, markNotCancelled, markToCancel } from "#db/billing/e-invoices.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { type AuditActor, recordAudit } from "#server/foundation/audit.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { queueOperatorAlert } from "#server/foundation/outbox/mail.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { lockOrder } from "#server/orders/find.ts";
import type { Context } from "#server/platform/context.ts";
import { sellerOf } from "./registered-version.ts";
import { forOrderOf, noDocument, queueRegistrationJob } from "./registration-queue.ts";

/** The portal's limit for cancellations after registration. */
export const cancellableForMs = 24 * 60 * 60 * 1_000;

/** Reasons by the portal's number. */
export const cancelReasons = {
  "1": "duplicate",
  "2": "data entry mistake",
  "3": "order cancelled",
  "4": "other",
} as const;

/** Reason for cancelling the credit note of a failed refund. */
export const refundFailed = { code: "4", words: "Its refund did not go through.", by: "store" } as const;

const cancellation = z.object({ code: z.enum(["1", "2", "3", "4"]), words: z.string().min(1).max(100) });

export type RegistrationCancellation = z.infer<typeof cancellation>;

/**
 * Requests the cancellation of a registered document, within 24 hours of its registration. Later, only a credit note is
 * possible.
 * @throws DomainError not_found; conflict for a document that is not registered, after 24 hours, and for a document of a
 * correction
 */
export async function requestRegistrationCancellation(
  db: Db,
  number: string,
  input: RegistrationCancellation & AuditActor & { now: Date },
): Promise<void> {
  const { code, words, by, staffId, now } = input;
  await db.transaction().execute(async (trx) => {
    const document = await findEInvoice(trx, number);
    if (document === null) throw noDocument();
    const acknowledged = document.acknowledgement?.acknowledgedAt ?? null;
    if (document.state !== "final" || acknowledged === null)
      throw new DomainError(
        "conflict",
        `This document is ${document.state}. Only registered documents can be cancelled.`,
      );
    if (now.getTime() - acknowledged.getTime() > cancellableForMs)
      throw new DomainError(
        "conflict",
        "This document was registered more than 24 hours ago. Issue a credit note instead.",
      );
    // A correction consists of two documents; cancelling only one would leave the other without its counterpart.
    if (document.orderId !== null) await lockOrder(trx, document.orderId);
    if (await belongsToCorrection(trx, number))
      throw new DomainError(
        "conflict",
        "This document belongs to a corrected invoice, so it can't be cancelled on its own.",
      );
    if (!(await queueCancellation(trx, number, { code, words, by, staffId }, now)))
      throw new DomainError("conflict", "This document has just changed. Check it again.");
  });
}

/** Marks a document for cancellation and queues the job. @returns false when it is not registered */
export async function queueCancellation(
  trx: Trx,
  number: string,
  { code, words, by, staffId }: RegistrationCancellation & AuditActor,
  now: Date,
): Promise<boolean> {
  if (!(await markToCancel(trx, number, cancellation.parse({ code, words }), now))) return false;
  await recordAudit(trx, {
    userId: null,
    staffId,
    action: "document.cancel",
    subject: `document:${number}`,
    data: { code, reason: words, by },
  });
  await queueRegistrationJob(trx, "cancel-document", number, 0);
  return true;
}

/**
 * Runs the job that cancels a document at the portal; a repeat there changes nothing.
 * @throws ProviderError while the portal cannot be reached, so that the queue retries
 */
export async function cancelAtPortal(context: Context, number: string): Promise<void> {
  const { db } = context;
  const document = await findEInvoice(db, number);
  if (document === null || document.state !== "final" || document.cancelReason === null) return;
  const { code, words } = cancellation.parse(document.cancelReason);
  try {
    const gsp = context.eInvoicesOf(document.account);
    const { irn, body } = document;
    await forOrderOf(document, () => gsp.cancel(sellerOf(body), { irn, code, words }, randomUUID()));
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== "refused") throw error;
    const said = { code: error.code ?? "refused", words: error.description ?? error.message };
    await db.transaction().execute(async (trx) => {
      await markNotCancelled(trx, number, said, new Date());
      await queueOperatorAlert(trx, {
        dedupeKey: `e-invoice-not-cancelled:${number}:${Date.now()}`,
        orderId: document.orderId,
        what: `Document ${number} was not cancelled (${said.code}: ${said.words})`,
      });
    });
    return;
  }
  await db.transaction().execute((trx) => markCancelled(trx, number, new Date()));
}
