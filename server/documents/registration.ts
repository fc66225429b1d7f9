/**
 * The life of a document that has to be registered at the invoice registration portal (docs/decisions/e-invoice.md): noted in the
 * transaction that issues it, registered by a job, tried again while the portal cannot be reached, and handed to a person when it
 * is refused. Whatever dies in between, it is registered once: a document that may have been sent is looked up first.
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { belongsToCorrection } from "#db/credit-notes.ts";
import {
  type Acknowledgement,
  type EInvoice,
  findEInvoice,
  insertEInvoice,
  listCreditNotesOfFailedRefunds,
  listUnregisteredDue,
  markCancelled,
  markLateNotified,
  markNotCancelled,
  markNotRegistered,
  markPendingAgain,
  markRegistered,
  markSubmitted,
  markToCancel,
} from "#db/e-invoices.ts";
import type { OrderId } from "#db/ids.ts";
import { type DocumentRevision, updateDocumentFacts, updateSentBody } from "#db/refused-documents.ts";
import type { Country } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { type AuditActor, type AuditContext, recordAudit } from "#server/audit.ts";
import type { Context } from "#server/context.ts";
import { explainRefusal, isForBuyer } from "#server/countries/portal-refusals.ts";
import type { Env } from "#server/env.ts";
import { DomainError } from "#server/errors.ts";
import { english, type MessageDescriptor } from "#server/languages/text.ts";
import { findOrder, lockOrder } from "#server/orders/find.ts";
import { addJob } from "#server/outbox/jobs.ts";
import { queueMail, queueOperatorAlert } from "#server/outbox/mail.ts";
import * as paths from "#server/paths.ts";
import { forOrder } from "#server/providers/call-attribution.ts";
import { type EInvoices, noLongerShownCode, type RegisteredDocument } from "#server/providers/e-invoices.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { listCopyRecipients, queueCopies } from "./copies.ts";
import { eInvoiceBody, type IssuedDocument, toRegistrable } from "./e-invoice-body.ts";
import { irnOf } from "./irn.ts";
import {
  differenceOf,
  findRegisteredVersion,
  type RegisteredVersion,
  sellerOf,
} from "./registered-version.ts";

export type RegistrationSettings = Pick<Env, "sellers" | "eInvoiceAccounts">;

const hourMs = 60 * 60 * 1_000;
const dayMs = 24 * hourMs;
/** The operator is told of a document that is as old and not registered. */
const lateAfterMs = 7 * dayMs;
/** The portal takes no older document. */
export const maxRegistrationAgeMs = 30 * dayMs;
/** The portal cancels no document later. */
export const cancellableForMs = dayMs;
const maxWaitMs = hourMs;
/** Documents that one look of the clock is about. */
const maxWaiting = 1_000;
/** A job is given this long before the clock asks for another. */
const jobLateMs = 10 * 60 * 1_000;

/**
 * Notes that an issued document has to be registered, and asks for it. Call it in the transaction that issues the document. Nothing
 * happens for one that needs no registration, and where no account is set.
 * @param document.orderId whose buyer is told when it is registered
 * @returns whether it is to be registered
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
  if (isNew) await askFor(trx, "register-document", number, 0);
  return isNew;
}

/**
 * The account at the portal is that of the country whose seller has the document's GSTIN: one company may sell in several countries.
 * @returns null where none is set, so that nothing is registered
 */
export function eInvoiceAccountOf(
  { sellers, eInvoiceAccounts }: RegistrationSettings,
  gstin: string,
): Country | null {
  const found = [...eInvoiceAccounts.keys()].find((country) => sellers.get(country)?.gstin === gstin);
  return found ?? null;
}

function askFor(
  trx: Trx,
  job: "register-document" | "cancel-document",
  number: string,
  delayMs: number,
): Promise<void> {
  return addJob(trx, job, { number }, { jobKey: `${job}:${number}`, delayMs });
}

/** Documents may be of no order. */
function forOrderOf<Result>(
  { orderId }: Pick<EInvoice, "orderId">,
  run: () => Promise<Result>,
): Promise<Result> {
  return orderId === null ? run() : forOrder(orderId, run);
}

/** The job that registers a document. It never throws because of the portal: the next try is decided and stored here. */
export async function registerDocument(context: Context, number: string): Promise<void> {
  const { db, log } = context;
  const document = await findEInvoice(db, number);
  if (document === null || document.state !== "pending") return;
  if (Date.now() - document.issuedAt.getTime() > maxRegistrationAgeMs)
    return giveUpAsTooOld(context, document);
  try {
    const answer = await forOrderOf(document, () => registeredOnce(context, document));
    if (answer === null) return;
    const { registered, version } = answer;
    if (version.problem !== null)
      return await giveUp(context, document, { code: "different", words: version.problem });
    await db
      .transaction()
      .execute((trx) => completeRegistration({ trx, log }, document, registered, version.earlier));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const said = {
      code: error.code ?? String(error.status ?? "unanswered"),
      words: error.description ?? error.message,
    };
    log.warn({ err: error, number, description: error.description }, "a document was not registered");
    if (error.kind === "refused" && error.code !== "no_account") return giveUp(context, document, said);
    await postpone(context, document, said);
  }
}

/**
 * Registers a document, or finds it registered.
 * @returns null for one that somebody else has finished; else which version of it the portal has
 * @throws ProviderError
 */
async function registeredOnce(
  context: Context,
  document: EInvoice,
): Promise<{ registered: RegisteredDocument; version: RegisteredVersion } | null> {
  const { db } = context;
  const { body } = document;
  const known = await findAtPortal(context, document);
  if (known !== null) return { registered: known, version: await findRegisteredVersion(db, document, known) };
  if (!(await markSubmitted(db, document, new Date()))) return null;
  const gsp = context.eInvoicesOf(document.account);
  const answer = await gsp.register(sellerOf(body), body, randomUUID());
  if ("irn" in answer) {
    const problem = differenceOf(body, answer);
    return { registered: answer, version: problem === null ? { problem, earlier: null } : { problem } };
  }
  const duplicate = await readRegistered(gsp, sellerOf(body), answer.duplicateOf);
  if (duplicate === null) throw noLongerShown(answer.duplicateOf);
  return { registered: duplicate, version: await findRegisteredVersion(db, document, duplicate) };
}

/**
 * Asks the portal for a document that may have been sent.
 * @returns null for one that was never sent, and one that the portal does not have
 * @throws ProviderError refused, with code 2283, for one that is registered and no longer shown
 */
export async function findAtPortal(
  context: Context,
  { account, body, irn, askedAt }: Pick<EInvoice, "account" | "body" | "irn" | "askedAt">,
): Promise<RegisteredDocument | null> {
  return askedAt === null ? null : readRegistered(context.eInvoicesOf(account), sellerOf(body), irn);
}

async function readRegistered(
  gsp: EInvoices,
  gstin: string,
  irn: string,
): Promise<RegisteredDocument | null> {
  const found = await gsp.find(gstin, irn, randomUUID());
  if (found === "hidden") throw noLongerShown(irn);
  return found;
}

/** After this only a person can fetch the document at the portal. */
function noLongerShown(irn: string): ProviderError {
  return new ProviderError("gsp", "refused", `finding ${irn}`, {
    code: noLongerShownCode,
    description: `Already registered as ${irn}, but the portal no longer shows it.`,
  });
}

/**
 * Stores the registration of a document, and sends the document.
 * @param earlier the version that is registered, where it is not the newest: the document says again what it said then
 * @returns false, having changed nothing, when it is no longer to be registered or was corrected since
 */
export async function completeRegistration(
  { trx, log }: Pick<Context, "log"> & { trx: Trx },
  document: EInvoice,
  said: RegisteredDocument,
  earlier: DocumentRevision | null,
): Promise<boolean> {
  const { number, kind, orderId } = document;
  if (!(await markRegistered(trx, document, said, new Date()))) return false;
  log.info({ number, irn: said.irn }, "a document was registered");
  if (earlier !== null) {
    await updateDocumentFacts(trx, { number, kind }, earlier.facts);
    await updateSentBody(trx, number, earlier.body);
    await queueOperatorAlert(trx, {
      dedupeKey: `e-invoice-earlier-version:${number}`,
      orderId,
      what: `Document ${number} was registered with the details it had before its last correction: the tax office's answer was lost. The document shows those details again.`,
      toDo: ["Issue a corrected invoice if the details are wrong."],
    });
  }
  await announceDocument(trx, { number, kind, orderId });
  return true;
}

/** Sends a document that is valid from now on: to its buyer, and to the company's billing contacts. */
export async function announceDocument(
  trx: Trx,
  { number, kind, orderId }: Pick<EInvoice, "number" | "kind" | "orderId">,
): Promise<void> {
  const copied = kind === "INV" ? "invoice" : "credit-note";
  const order = orderId === null ? null : await findOrder(trx, orderId);
  if (order === null) return;
  await queueCopies(
    trx,
    { orderId: order.id, number, kind: copied },
    await listCopyRecipients(trx, order, copied),
  );
  if (kind !== "INV" || order.account === null) return;
  await queueMail(trx, {
    kind: "invoice-ready",
    dedupeKey: `invoice-ready:${number}`,
    recipient: order.account.email,
    userId: order.userId,
    orderId: order.id,
    data: { number },
  });
}

interface Said {
  code: string;
  words: string;
}

/** After the first wait each is twice as long, to an hour. */
async function postpone({ db, env }: Context, document: EInvoice, said: Said): Promise<void> {
  const { number, tries } = document;
  const waitMs = Math.min(maxWaitMs, env.RETRY_BASE_MS * 2 ** Math.min(tries, 20));
  const now = new Date();
  await db.transaction().execute(async (trx) => {
    const nextTryAt = new Date(now.getTime() + waitMs);
    if (await markNotRegistered(trx, document, { ...said, nextTryAt }, now))
      await askFor(trx, "register-document", number, waitMs);
  });
}

/** Codes of the portal about the buyer's GSTIN: not valid, and not active. */
const buyersGstin = ["3028", "3029"];

async function giveUp({ db, env }: Context, document: EInvoice, { code, words }: Said): Promise<void> {
  const { number, orderId } = document;
  const now = new Date();
  const problem = english(explainRefusal({ errorCode: code, errorWords: words }));
  await db.transaction().execute(async (trx) => {
    if (!(await markNotRegistered(trx, document, { code, words, nextTryAt: null }, now))) return;
    await queueOperatorAlert(trx, {
      dedupeKey: `e-invoice-refused:${number}:${now.getTime()}`,
      orderId,
      what: `Document ${number} was not registered: ${problem} (${code}: ${words})`,
      toDo: stepsAfter(code, (id) => new URL(paths.deskActionForm(id, number), env.PUBLIC_URL).href),
    });
    const isMailed = isForBuyer({ errorCode: code, errorWords: words });
    if (isMailed && document.revision < env.INVOICE_CORRECTIONS) await askBuyer(trx, document, code);
  });
}

/** Asks the buyer for the right details, once for each refusal of a version. */
async function askBuyer(trx: Trx, { number, revision, orderId }: EInvoice, code: string): Promise<void> {
  const order = orderId === null ? null : await findOrder(trx, orderId);
  if (order === null || order.account === null) return;
  await queueMail(trx, {
    kind: "document-refused",
    dedupeKey: `document-refused:${number}:${revision}:${code}`,
    recipient: order.account.email,
    userId: order.userId,
    orderId: order.id,
    data: { number },
  });
}

/** Lists what the operator does after a refusal. @param form the address of an act on the document */
function stepsAfter(code: string, form: (id: "document.correct" | "document.enter") => string): string[] {
  if (code === noLongerShownCode)
    return [
      "Copy its registration from the e-invoice portal's site, or ask the GST provider for it.",
      `Enter it in Desk, which sends the document: ${form("document.enter")}`,
    ];
  return [
    ...(buyersGstin.includes(code)
      ? ["Sync the GSTIN in the e-invoice portal, and ask the buyer if it's right."]
      : []),
    `Correct the document in Desk, which registers it: ${form("document.correct")}`,
    "If only the portal was wrong, register it again in Desk unchanged.",
  ];
}

function giveUpAsTooOld(context: Context, document: EInvoice): Promise<void> {
  const words = "It's more than 30 days old, and the portal doesn't accept older documents.";
  return giveUp(context, document, { code: "too_old", words });
}

/**
 * The clock's look at every document that is not registered: asks for jobs that were lost, tells the operator of what is late, and
 * gives up what the portal would no longer take. A registered credit note whose refund has failed is cancelled while that is possible.
 */
export async function retryUnregisteredDocuments(context: Context): Promise<void> {
  const { db } = context;
  const now = Date.now();
  for (const { number } of await listCreditNotesOfFailedRefunds(db, new Date(now - cancellableForMs)))
    await db.transaction().execute((trx) => askToCancel(trx, number, inVain, new Date(now)));
  const moments = {
    triedBefore: new Date(now - jobLateMs),
    tooOldBefore: new Date(now - maxRegistrationAgeMs),
    lateBefore: new Date(now - lateAfterMs),
  };
  for (const document of await listUnregisteredDue(db, moments, maxWaiting)) {
    const { number, state, issuedAt, nextTryAt, orderId } = document;
    const ageMs = now - issuedAt.getTime();
    if (state === "final") {
      await db.transaction().execute((trx) => askFor(trx, "cancel-document", number, 0));
      continue;
    }
    if (state === "pending" && ageMs > maxRegistrationAgeMs) await giveUpAsTooOld(context, document);
    else if (state === "pending" && (nextTryAt === null || nextTryAt.getTime() < now - jobLateMs))
      await db.transaction().execute((trx) => askFor(trx, "register-document", number, 0));
    if (ageMs > lateAfterMs) {
      await db.transaction().execute(async (trx) => {
        await markLateNotified(trx, number, new Date(now));
        await queueOperatorAlert(trx, {
          dedupeKey: `e-invoice-late:${number}`,
          orderId,
          what: `Document ${number} is 7 days old and still not registered. After 30 days it can't be registered. ${document.errorCode ?? ""} ${document.errorWords ?? ""}`.trim(),
          toDo: ["Correct it in Desk, or register it again there if nothing on it is wrong."],
        });
      });
    }
  }
}

/** For the operator, who is told in plain English. */
export function noDocument(): DomainError {
  return new DomainError("not_found", "Document not found, or it doesn't need registering.");
}

/**
 * Takes up a document that was given up, on a person's word.
 * @throws DomainError not_found; conflict for a document that was not given up
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

/** Asks again for a document that was given up, as it is. @returns false when it was not given up */
export async function registerAgain(trx: Trx, number: string): Promise<boolean> {
  if (!(await markPendingAgain(trx, number, new Date()))) return false;
  await askFor(trx, "register-document", number, 0);
  return true;
}

/** Asks for a document whose correction has just been stored. */
export function queueCorrected(trx: Trx, number: string): Promise<void> {
  return askFor(trx, "register-document", number, 0);
}

/** As the portal numbers them. */
export const cancelReasons = {
  "1": "duplicate",
  "2": "data entry mistake",
  "3": "order cancelled",
  "4": "other",
} as const;
/** Why a credit note is cancelled whose refund failed, and by whom. */
const inVain = { code: "4", words: "Its refund did not go through.", by: "store" } as const;

const cancellation = z.object({ code: z.enum(["1", "2", "3", "4"]), words: z.string().min(1).max(100) });
export type RegistrationCancellation = z.infer<typeof cancellation>;

/**
 * Asks for a registered document to be cancelled, within 24 hours of its registration. Later a credit note is the only way.
 * @throws DomainError not_found; conflict for a document that is not registered, after 24 hours, and for one of a correction
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
    // A correction is of two documents, and one of them alone would leave the other without what it takes back.
    if (document.orderId !== null) await lockOrder(trx, document.orderId);
    if (await belongsToCorrection(trx, number))
      throw new DomainError(
        "conflict",
        "This document belongs to a corrected invoice, so it can't be cancelled on its own.",
      );
    if (!(await askToCancel(trx, number, { code, words, by, staffId }, now)))
      throw new DomainError("conflict", "This document has just changed. Check it again.");
  });
}

/** @returns false when it is not registered */
async function askToCancel(
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
  await askFor(trx, "cancel-document", number, 0);
  return true;
}

/**
 * The job that cancels a document at the portal, where a repeat changes nothing.
 * @throws ProviderError while it cannot be reached, so that the queue retries
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

/** What became of a document at the portal. */
export type Registration =
  | { state: "not_needed" | "pending" }
  /** Refused by the portal, and for which reason. */
  | { state: "failed"; problem: MessageDescriptor }
  /** Replaced by another number before it was registered. */
  | { state: "withdrawn" }
  | ({ state: "final" | "cancelled" } & Acknowledgement);

export async function registrationOf(db: Db, number: string): Promise<Registration> {
  const document = await findEInvoice(db, number);
  if (document === null) return { state: "not_needed" };
  const { state, acknowledgement } = document;
  if (state === "pending") return { state };
  if (state === "failed") return { state, problem: explainRefusal(document) };
  if (state === "cancelled" && acknowledgement === null) return { state: "withdrawn" };
  if (acknowledgement === null) throw new RangeError(`${number} is ${state} without an acknowledgement`);
  return { state, ...acknowledgement };
}

/** What the portal last said against a document. Its words may begin with the code themselves. @returns null when it said nothing */
export function portalMessage({
  errorCode,
  errorWords,
}: Pick<EInvoice, "errorCode" | "errorWords">): string | null {
  if (errorCode !== null && errorWords?.startsWith(errorCode) === true) return errorWords;
  return [errorCode, errorWords].filter(Boolean).join(": ") || null;
}

/** Whether a document may be handed out as it is: it needs no registration, or has it. */
export function mayBeHandedOut({ state }: Registration): boolean {
  return state !== "pending" && state !== "failed" && state !== "withdrawn";
}
