/** Notes documents that have to be registered at the invoice registration portal, and queues their jobs (docs/decisions/invoices.md#registration). */
import { type EInvoice, findEInvoice, insertEInvoice, markPendingAgain } from "#db/billing/e-invoices.ts";
import type { OrderId } from "#db/ids.ts";
import type { Country } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { type AuditContext, recordAudit } from "#server/foundation/audit.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { addJob } from "#server/foundation/outbox/jobs.ts";
import { forOrder } from "#server/integrations/call-attribution.ts";
import type { Env } from "#server/platform/env.ts";
import { eInvoiceBody, type IssuedDocument, toRegistrable } from "./e-invoice-body.ts";
import { irnOf } from "./irn.ts";

export type RegistrationSettings = Pick<Env, "sellers" | "eInvoiceAccounts">;

/** The portal's maximum age of a document. */
export const maxRegistrationAgeMs = 30 * 24 * 60 * 60 * 1_000;

/**
 * Records that an issued document must be registered, and queues the job. Call it in the transaction that issues the document.
 * Does nothing for a document that needs no registration, or without an account at the portal.
 * @param document.orderId the order whose buyer is emailed after the registration
 * @returns whether it must be registered
 */
export async function queueRegistration(
  trx: Trx,
  settings: RegistrationSettings,
  document: IssuedDocument & { orderId: OrderId | null },
): Promise<boolean> {
  const { number, kind, issuedAt, orderId } = document;
  const found = toRegistrable(document);
  const account = found === null ? null : eInvoiceAccountOf(settings, found.gstin);
  if (found === null || account === null) return false;
  const irn = irnOf({ gstin: found.gstin, kind, number, issuedAt });
  const body = eInvoiceBody(document, found);
  const isNew = await insertEInvoice(
    trx,
    { number, kind, account, orderId, issuedAt, body, irn },
    new Date(),
  );
  if (isNew) await queueRegistrationJob(trx, "register-document", number, 0);
  return isNew;
}

/**
 * Finds the account at the portal: that of the country whose seller has the document's GSTIN, because one company may sell in
 * several countries.
 * @returns null without an account, so that nothing is registered
 */
export function eInvoiceAccountOf(
  { sellers, eInvoiceAccounts }: RegistrationSettings,
  gstin: string,
): Country | null {
  const found = [...eInvoiceAccounts.keys()].find((country) => sellers.get(country)?.gstin === gstin);
  return found ?? null;
}

/** Queues a job on a document, unless one of its kind is queued already. */
export function queueRegistrationJob(
  trx: Trx,
  job: "register-document" | "cancel-document",
  number: string,
  delayMs: number,
): Promise<void> {
  return addJob(trx, job, { number }, { jobKey: `${job}:${number}`, delayMs });
}

/** Attributes the calls of a function to the document's order, if it has one. */
export function forOrderOf<Result>(
  { orderId }: Pick<EInvoice, "orderId">,
  run: () => Promise<Result>,
): Promise<Result> {
  return orderId === null ? run() : forOrder(orderId, run);
}

/** Builds the error for a number without a document to register, in plain English for the operator. */
export function noDocument(): DomainError {
  return new DomainError("not_found", "Document not found, or it doesn't need registering.");
}

/**
 * Retries a failed document at a person's request.
 * @throws DomainError not_found; conflict for a document that has not failed
 */
export async function retryDocument(
  db: Db,
  number: string,
  { reason, by, staffId }: AuditContext,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if ((await findEInvoice(trx, number)) === null) throw noDocument();
    if (!(await registerAgain(trx, number)))
      throw new DomainError("conflict", "Only a document that was rejected can be retried.");
    await recordAudit(trx, {
      userId: null,
      staffId,
      action: "document.retry",
      subject: `document:${number}`,
      data: { reason, by },
    });
  });
}

/** Queues the registration of a failed document again, unchanged. @returns false when it has not failed */
export async function registerAgain(trx: Trx, number: string): Promise<boolean> {
  if (!(await markPendingAgain(trx, number, new Date()))) return false;
  await queueRegistrationJob(trx, "register-document", number, 0);
  return true;
}

/** Queues the registration of a document whose correction was just stored. */
export function queueCorrected(trx: Trx, number: string): Promise<void> {
  return queueRegistrationJob(trx, "register-document", number, 0);
}
