/**
 * Completes a document that the invoice registration portal has registered and no longer shows (docs/decisions/invoices.md#refused-documents),
 * from data that staff copy from the portal's site or the provider's records. The portal's signature is not verified, as
 * elsewhere, but the signed texts must belong to this document.
 */
import { type EInvoice, findEInvoice, markPendingAgain } from "#db/billing/e-invoices.ts";
import type { Db } from "#db/tables/index.ts";
import { type AuditContext, recordAudit } from "#server/foundation/audit.ts";
import { gstCountry } from "#server/foundation/countries/registry.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { noLongerShownCode, type RegisteredDocument } from "#server/integrations/e-invoices.ts";
import { dateView } from "#server/orders/subscriptions/dates.ts";
import type { Context } from "#server/platform/context.ts";
import { completeRegistration } from "./complete-registration.ts";
import { findRegisteredVersion, signedIrn } from "./registered-version.ts";
import { noDocument } from "./registration-queue.ts";

/** Whether the portal has registered a refused document but no longer shows it. */
export function isNoLongerShown({ state, errorCode }: Pick<EInvoice, "state" | "errorCode">): boolean {
  return state === "failed" && errorCode === noLongerShownCode;
}

/**
 * Stores the registration of a document that the portal no longer shows; its buyer then receives it as usual.
 * @param entered the signed invoice may be empty for a document that was not corrected
 * @throws DomainError not_found; conflict for a document in another state; bad_request with the fields that do not belong to
 * this document
 */
export async function enterRegistration(
  { db, log }: Pick<Context, "db" | "log">,
  number: string,
  { entered, by, now }: { entered: RegisteredDocument; by: AuditContext; now: Date },
): Promise<void> {
  const document = await findEInvoice(db, number);
  if (document === null) throw noDocument();
  if (!isNoLongerShown(document)) throw changed();
  const fields = problemsOf(document, entered, now);
  if (Object.keys(fields).length > 0) throw wrong(fields);
  const earlier = await readVersion(db, document, entered);
  await db.transaction().execute(async (trx) => {
    const isTaken = await markPendingAgain(trx, number, now);
    if (!isTaken || !(await completeRegistration({ trx, log }, document, entered, earlier))) throw changed();
    const { irn, ackNumber } = entered;
    await recordAudit(trx, {
      userId: null,
      staffId: by.staffId,
      action: "document.enter",
      subject: `document:${number}`,
      data: { irn, ackNumber, reason: by.reason, by: by.by },
    });
  });
}

const changed = () =>
  new DomainError(
    "conflict",
    "Only a document that the portal has registered and no longer shows can be entered.",
  );

const wrong = (fields: Record<string, string>) =>
  new DomainError("bad_request", "Nothing has changed. Check the marked fields.", { fields });

/** Returns the fields that do not belong to the document, each with an instruction. */
function problemsOf(
  { number, irn, errorWords, issuedAt }: EInvoice,
  entered: RegisteredDocument,
  now: Date,
): Record<string, string> {
  // Our own computation, and the IRN in the portal's response.
  const expected = [irn, ...(errorWords?.match(/\b[0-9a-f]{64}\b/g) ?? [])];
  const { acknowledgedAt, signedQr, signedInvoice } = entered;
  const isOther = (signed: string) => signedIrn(signed) !== entered.irn;
  return {
    ...(!expected.includes(entered.irn) && {
      irn: `This is the IRN of another document. Copy the one of ${number}, which is ${irn}.`,
    }),
    ...(acknowledgedAt > now && {
      acknowledgedAt: "This date is in the future. Enter the date and time at the acknowledgement number.",
    }),
    ...(dateView(acknowledgedAt, gstCountry).iso < dateView(issuedAt, gstCountry).iso && {
      acknowledgedAt: `This date is before the document's. Enter the one at the acknowledgement number of ${number}.`,
    }),
    ...(isOther(signedQr) && {
      signedQr: "This is not the signed QR code of this IRN. Copy the whole text of SignedQRCode.",
    }),
    ...(signedInvoice !== "" &&
      isOther(signedInvoice) && {
        signedInvoice: "This is not the signed invoice of this IRN. Copy the whole text of SignedInvoice.",
      }),
  };
}

/** Finds the registered version; null means the newest. @throws DomainError bad_request when it is another document */
async function readVersion(db: Db, document: EInvoice, entered: RegisteredDocument) {
  if (document.revision > 0 && entered.signedInvoice === "")
    throw wrong({
      signedInvoice:
        "This document was corrected. Enter the signed invoice, which shows what was registered.",
    });
  const version = await findRegisteredVersion(db, document, entered);
  if (version.problem !== null) throw wrong({ signedQr: `${version.problem} Ask the accountant.` });
  return version.earlier;
}
