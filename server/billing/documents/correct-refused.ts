/**
 * Corrects a document that the invoice registration portal refused (docs/decisions/invoices.md#refused-documents): makes it again from corrected
 * details under the same number, or under a new one when the portal no longer accepts the old, and queues its registration. A
 * document that the portal has registered after all is completed as it is.
 */
import { isDeepStrictEqual } from "node:util";
import { readRegistration } from "#db/accounts/gst-registrations.ts";
import { findEInvoice } from "#db/billing/e-invoices.ts";
import {
  deleteRefused,
  insertRevision,
  listRevisions,
  markCorrected,
  updateDocumentFacts,
} from "#db/billing/refused-documents.ts";
import type { Order } from "#db/orders/order.ts";
import type { Trx } from "#db/tables/index.ts";
import { isSellersNumber, requireActiveGstin } from "#server/accounts/gst-lookup.ts";
import { type AuditContext, recordAudit } from "#server/foundation/audit.ts";
import { isTooShort, leastLength } from "#server/foundation/countries/portal-texts.ts";
import { DomainError, wrongField } from "#server/foundation/errors.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import { noLongerShownCode } from "#server/integrations/e-invoices.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { normaliseTaxAddress, problemsOf } from "#server/orders/account-rules.ts";
import { mayOrder, requireBuyer } from "#server/orders/draft.ts";
import { lockOrder, lockOrderFor, mayOpenOrder, type Requester } from "#server/orders/find.ts";
import { isToZone, isZone } from "#server/orders/supply.ts";
import type { Context } from "#server/platform/context.ts";
import { announceDocument } from "./complete-registration.ts";
import { keepsTax } from "./correction-rules.ts";
import { eInvoiceBody, toRegistrable } from "./e-invoice-body.ts";
import { isNoLongerShown } from "./enter-registration.ts";
import { type CorrectedRecipient, type InvoiceFacts, invoiceFactsSchema } from "./facts.ts";
import {
  type Corrected,
  findRefused,
  isNumberLost,
  precedingInvoice,
  type RefusedDocument,
  readCorrectable,
} from "./refused.ts";
import {
  isAbroad,
  type RecipientDetails,
  recipientDetails,
  withCorrectedRecipient,
  withPresentSupplier,
} from "./refused-facts.ts";
import { findAtPortal } from "./register-document.ts";
import { findRegisteredVersion } from "./registered-version.ts";
import { queueCorrected, registerAgain } from "./registration-queue.ts";
import { replaceRefused } from "./replace-refused.ts";
import { supplierOf } from "./supplier.ts";

/** The buyer, or a member of staff with a reason. */
export type Corrector = { requester: Requester } | { staff: AuditContext };

export interface RefusedCorrection {
  number: string;
  /** The revision that the form showed. */
  revision: number;
  details: RecipientDetails;
  by: Corrector;
  /** Network address of the caller, for the rate limit of the GST register. */
  clientAddress: string;
  now: Date;
}

/**
 * Corrects a refused document and queues its registration. Repeating the same correction changes nothing.
 * @throws DomainError bad_request with the invalid fields; conflict for a document that is not refused, has changed since, or
 * is registered at the portal; not_found for another's document; provider_unavailable while the portal cannot be reached
 */
export async function correctRefused(context: Context, ask: RefusedCorrection): Promise<Corrected> {
  const { db, env } = context;
  const { number, by, now } = ask;
  const refused = await findRefused(db, number);
  if (refused === null || refused.eInvoice.revision !== ask.revision) return correctedAlready(context, ask);
  await requireCorrector(context, refused, by);
  const { facts, recipient } = await correctedFacts(context, refused, ask);
  const isTaken = await isNumberTaken(context, refused);
  // A number that belongs to another document is a question for the accountant, whom only staff can contact.
  if (isTaken && "requester" in by)
    throw new DomainError("conflict", msg("refusedDocuments.otherDocument", { number }));
  const isLost = isTaken || isNumberLost(refused, now);
  const corrected = await db.transaction().execute(async (trx) => {
    await lockFor(trx, refused, by);
    // The invoice of a credit note may have been corrected since.
    const current = await readCorrectable(trx, refused.eInvoice);
    if (current === null || !isDeepStrictEqual(current.base, refused.base)) return null;
    const done = isLost
      ? await replaceRefused(trx, env, { refused, facts, now })
      : await makeAgain(trx, refused, facts, now);
    if (done !== null) await recordCorrection(trx, refused, { by, done, recipient });
    return done;
  });
  return corrected ?? correctedAlready(context, ask);
}

const meanwhile = () => new DomainError("conflict", msg("refusedDocuments.meanwhile"));

/** Finds the result of the same correction made before. @throws DomainError conflict for any other correction */
async function correctedAlready(context: Context, ask: RefusedCorrection): Promise<Corrected> {
  const { db } = context;
  const { number, revision, by } = ask;
  const eInvoice = await findEInvoice(db, number);
  const document = eInvoice === null ? null : await readCorrectable(db, eInvoice);
  if (document === null) throw new DomainError("conflict", msg("refusedDocuments.notRefused"));
  await requireCorrector(context, document, by);
  const before = (await listRevisions(db, number)).find((each) => each.revision === revision);
  const { state, revision: newest } = document.eInvoice;
  if (before === undefined || newest !== revision + 1) throw meanwhile();
  const former = invoiceFactsSchema.parse(before.facts);
  const base = document.note === null ? former : document.base;
  const { facts } = await correctedFacts(context, { ...document, facts: former, base }, ask);
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(facts)), document.facts)) throw meanwhile();
  return { number, isRegistering: state !== "final" };
}

/** Whether the requester may correct the refused documents of an order, even a refunded one. */
export function mayCorrectRefused(order: Order, requester: Requester): boolean {
  return mayOpenOrder(order, requester) && mayOrder(requester);
}

/** Requires permission to correct a document, before any of it is shown or looked up. */
async function requireCorrector(
  { db, env }: Context,
  { orderId, eInvoice }: RefusedDocument,
  by: Corrector,
): Promise<void> {
  if (!("requester" in by)) return;
  await db.transaction().execute(async (trx) => {
    const { requester } = await lockOrderFor(trx, orderId, by.requester);
    requireBuyer(requester);
  });
  const most = env.INVOICE_CORRECTIONS;
  if (eInvoice.revision >= most && eInvoice.state === "failed")
    throw new DomainError("conflict", msg("corrections.tooMany", { count: most }));
}

async function lockFor(trx: Trx, { orderId }: RefusedDocument, by: Corrector): Promise<void> {
  if ("staff" in by) await lockOrder(trx, orderId);
  else requireBuyer((await lockOrderFor(trx, orderId, by.requester)).requester);
}

/**
 * Checks the portal first, because a registered document must not be made again with other details.
 * @returns whether another document has the number there
 * @throws DomainError conflict for a document that is registered, which is completed; provider_unavailable
 */
async function isNumberTaken(context: Context, { eInvoice }: RefusedDocument): Promise<boolean> {
  const { db } = context;
  const { number } = eInvoice;
  if (eInvoice.errorCode === "different") return true;
  try {
    const found = await findAtPortal(context, eInvoice);
    if (found === null) return false;
    if ((await findRegisteredVersion(db, eInvoice, found)).problem !== null) return true;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.code !== noLongerShownCode)
      throw new DomainError("provider_unavailable", msg("refusedDocuments.portalSilent"), { cause: error });
    // Its job gets the same response, and alerts the operator.
    if (!isNoLongerShown(eInvoice)) await db.transaction().execute((trx) => registerAgain(trx, number));
    throw new DomainError("conflict", msg("refusedDocuments.registeredUnreadable", { number }));
  }
  await db.transaction().execute((trx) => registerAgain(trx, number));
  throw new DomainError("conflict", msg("refusedDocuments.registeredAfterAll", { number }));
}

/**
 * Builds the corrected facts.
 * @throws DomainError bad_request with every field that the account form would also refuse; conflict when the tax must not
 * change
 */
async function correctedFacts(
  context: Context,
  refused: RefusedDocument,
  { details, clientAddress }: RefusedCorrection,
): Promise<{ facts: InvoiceFacts; recipient: CorrectedRecipient }> {
  const { db, env } = context;
  const { base, language } = refused;
  const supplier = supplierOf(env, base.country);
  if (supplier.gst === null || supplier.gst.gstin !== base.supplier.gstin)
    throw new DomainError("conflict", msg("refusedDocuments.otherSeller"));
  const former = recipientDetails(refused.facts);
  const given = checkedDetails(context, base, details);
  if (given.gst_code !== "" && given.gst_code !== former.gst_code)
    await requireActiveGstin(context, given.gst_code, clientAddress);
  const registered = given.gst_code === "" ? null : await readRegistration(db, given.gst_code);
  const { companyName, gst_code, legalName, tradeName, ...place } = given;
  const isOther = gst_code !== former.gst_code;
  // The register's names belong to the former GSTIN.
  const isUntouched = legalName === former.legalName && tradeName === former.tradeName;
  const names =
    isOther && isUntouched
      ? { legalName: registered?.legalName ?? companyName, tradeName: registered?.tradeName ?? "" }
      : { legalName: legalName === "" ? companyName : legalName, tradeName };
  const recipient: CorrectedRecipient = {
    name: companyName,
    place,
    gstin: gst_code === "" ? null : gst_code,
    registered: gst_code === "" ? null : names,
  };
  const wasZone = base.supply !== undefined && isToZone(base.supply);
  const inZone = isOther ? isZone(registered?.taxpayerType ?? "") : wasZone;
  if (!isAbroad(base) && wasZone !== inZone) throw wrongField("gst_code", msg("refusedDocuments.otherZone"));
  if (refused.keepsTax && !keepsTax(base, { ...recipient, isZone: inZone }, language))
    throw wrongField("state", msg("refusedDocuments.invoiceTax"));
  const facts = withCorrectedRecipient(withPresentSupplier(base, supplier), recipient, supplier, language);
  return { facts, recipient };
}

/**
 * Normalises the details and checks them by the rules of Create Account. @throws DomainError bad_request naming every invalid
 * field
 */
function checkedDetails(
  { env }: Context,
  { country, ...facts }: InvoiceFacts,
  details: RecipientDetails,
): RecipientDetails {
  const gstin = isAbroad({ country, ...facts }) ? "" : details.gst_code;
  const answers = { ...details, country, gst_code: gstin, organisationRegistrationNumber: gstin };
  const { organisationRegistrationNumber: _, ...fields } = problemsOf(answers);
  if (isSellersNumber(env.sellers, gstin)) fields.gst_code = msg("fields.ownGstin");
  const isShort = gstin !== "" && details.legalName !== "" && isTooShort("name", details.legalName);
  if (isShort) fields.legalName = msg("refusedDocuments.shortLegalName", { count: leastLength("name") });
  const problems: Record<string, MessageDescriptor> = fields;
  if (Object.keys(problems).length > 0)
    throw new DomainError("bad_request", msg("fields.address"), { fields: problems });
  const { state, pincode, gst_code } = normaliseTaxAddress(answers);
  return { ...details, state, pincode, gst_code: gst_code ?? "" };
}

/**
 * Stores the corrected document under its number, and queues its registration if it needs one.
 * @returns null, without any change, when it has changed since it was read
 */
async function makeAgain(
  trx: Trx,
  { eInvoice, note, facts: former }: RefusedDocument,
  facts: InvoiceFacts,
  now: Date,
): Promise<Corrected | null> {
  const { number, kind, issuedAt, orderId } = eInvoice;
  const precedes = note === null ? undefined : precedingInvoice(facts);
  const document = { number, kind, issuedAt, facts, precedes };
  const found = toRegistrable(document);
  const isStored =
    found === null
      ? await deleteRefused(trx, eInvoice)
      : await markCorrected(trx, eInvoice, eInvoiceBody(document, found), now);
  if (!isStored) return null;
  await insertRevision(trx, eInvoice, former);
  await updateDocumentFacts(trx, eInvoice, facts);
  if (found === null) await announceDocument(trx, { number, kind, orderId });
  else await queueCorrected(trx, number);
  return { number, isRegistering: found !== null };
}

function recordCorrection(
  trx: Trx,
  { eInvoice: { number, revision }, orderId }: RefusedDocument,
  { by, done, recipient }: { by: Corrector; done: Corrected; recipient: CorrectedRecipient },
): Promise<void> {
  const data = { document: number, revision: revision + 1, to: done.number, gstin: recipient.gstin };
  const action = "document.correct";
  const subject = `order:${orderId}`;
  if ("requester" in by) return recordAudit(trx, { userId: by.requester.userId, action, subject, data });
  const { staffId, reason, by: name } = by.staff;
  return recordAudit(trx, { userId: null, staffId, action, subject, data: { ...data, reason, by: name } });
}
