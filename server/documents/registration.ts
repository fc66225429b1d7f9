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
import type { Country } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { type AuditActor, type AuditContext, recordAudit } from "#server/audit.ts";
import type { Context } from "#server/context.ts";
import type { Env } from "#server/env.ts";
import { DomainError } from "#server/errors.ts";
import { findOrder, lockOrder } from "#server/orders/find.ts";
import { addJob } from "#server/outbox/jobs.ts";
import { queueMail, queueOperatorAlert } from "#server/outbox/mail.ts";
import { forOrder } from "#server/providers/call-attribution.ts";
import type { EInvoices, RegisteredDocument } from "#server/providers/e-invoices.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { listCopyRecipients, queueCopies } from "./copies.ts";
import { eInvoiceBody, type IssuedDocument, toRegistrable } from "./e-invoice-body.ts";
import { irnOf } from "./irn.ts";

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
    const { registered, problem } = await forOrderOf(document, () => registeredOnce(context, document));
    if (registered === null) return;
    if (problem !== null) return await giveUp(context, document, { code: "different", words: problem });
    await finish(context, document, registered);
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
 * @returns null for one that somebody else has finished; and how it differs from ours
 * @throws ProviderError
 */
async function registeredOnce(
  context: Context,
  document: EInvoice,
): Promise<{ registered: RegisteredDocument | null; problem: string | null }> {
  const { number, body, irn, askedAt } = document;
  const gsp = context.eInvoicesOf(document.account);
  const { SellerDtls } = bodySchema.parse(body);
  const found = askedAt === null ? null : await gsp.find(SellerDtls.Gstin, irn, randomUUID());
  if (found !== null) return { registered: found, problem: differenceOf(document, found) };
  if (!(await markSubmitted(context.db, number, new Date()))) return { registered: null, problem: null };
  const answer = await gsp.register(SellerDtls.Gstin, body, randomUUID());
  const registered =
    "irn" in answer ? answer : await readDuplicate(gsp, SellerDtls.Gstin, answer.duplicateOf);
  return { registered, problem: differenceOf(document, registered) };
}

/** @throws ProviderError refused when the portal does not show it any more, after which only a person can fetch it there */
async function readDuplicate(gsp: EInvoices, gstin: string, irn: string): Promise<RegisteredDocument> {
  const found = await gsp.find(gstin, irn, randomUUID());
  if (found !== null) return found;
  throw new ProviderError("gsp", "refused", `finding ${irn}`, {
    code: "2283",
    description: `Already registered as ${irn}, but the portal no longer shows it.`,
  });
}

const bodySchema = z.object({
  DocDtls: z.object({ Typ: z.string(), No: z.string(), Dt: z.string() }),
  SellerDtls: z.object({ Gstin: z.string() }),
  BuyerDtls: z.object({ Gstin: z.string() }),
  ValDtls: z.object({ TotInvVal: z.number() }),
});

/** What the signed QR code says of its document. */
const signedSchema = z.object({
  SellerGstin: z.string(),
  BuyerGstin: z.string(),
  DocNo: z.string(),
  DocTyp: z.string(),
  DocDt: z.string(),
  TotInvVal: z.coerce.number(),
});

/** Why what is registered is another document than ours; null when it is ours. */
function differenceOf({ body }: EInvoice, { signedQr }: RegisteredDocument): string | null {
  const ours = bodySchema.parse(body);
  const signed = signedSchema.safeParse(payloadOf(signedQr));
  if (!signed.success) return "The signed QR code cannot be read.";
  const { SellerGstin, BuyerGstin, DocNo, DocTyp, DocDt, TotInvVal } = signed.data;
  const pairs: [string, string | number, string | number][] = [
    ["seller", ours.SellerDtls.Gstin, SellerGstin],
    ["buyer", ours.BuyerDtls.Gstin, BuyerGstin],
    ["number", ours.DocDtls.No, DocNo],
    ["kind", ours.DocDtls.Typ, DocTyp],
    ["date", ours.DocDtls.Dt, DocDt],
    ["total", ours.ValDtls.TotInvVal, TotInvVal],
  ];
  const different = pairs.filter(([, our, their]) => our !== their).map(([name]) => name);
  return different.length === 0
    ? null
    : `A different document is registered: ${different.join(", ")} don't match.`;
}

/** The portal signs it, and TLS says that it is the portal; so it is only read. */
function payloadOf(jws: string): unknown {
  try {
    const [, payload = ""] = jws.split(".");
    const { data } = z
      .object({ data: z.string() })
      .parse(JSON.parse(Buffer.from(payload, "base64url").toString()));
    return JSON.parse(data);
  } catch {
    return null;
  }
}

async function finish({ db, log }: Context, document: EInvoice, said: RegisteredDocument): Promise<void> {
  const { number, kind, orderId } = document;
  await db.transaction().execute(async (trx) => {
    if (!(await markRegistered(trx, number, said, new Date()))) return;
    log.info({ number, irn: said.irn }, "a document was registered");
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
  });
}

interface Said {
  code: string;
  words: string;
}

/** After the first wait each is twice as long, to an hour. */
async function postpone({ db, env }: Context, { number, tries }: EInvoice, said: Said): Promise<void> {
  const waitMs = Math.min(maxWaitMs, env.RETRY_BASE_MS * 2 ** Math.min(tries, 20));
  const now = new Date();
  await db.transaction().execute(async (trx) => {
    const nextTryAt = new Date(now.getTime() + waitMs);
    if (await markNotRegistered(trx, number, { ...said, nextTryAt }, now))
      await askFor(trx, "register-document", number, waitMs);
  });
}

/** Codes of the portal about the buyer's GSTIN: not valid, and not active. */
const buyersGstin = ["3028", "3029"];

async function giveUp({ db }: Context, document: EInvoice, { code, words }: Said): Promise<void> {
  const { number, orderId } = document;
  const isAboutBuyer = buyersGstin.includes(code);
  const now = new Date();
  await db.transaction().execute(async (trx) => {
    if (!(await markNotRegistered(trx, number, { code, words, nextTryAt: null }, now))) return;
    await queueOperatorAlert(trx, {
      dedupeKey: `e-invoice-refused:${number}:${now.getTime()}`,
      orderId,
      what: isAboutBuyer
        ? `Document ${number} was not registered: the tax office rejected the buyer's GSTIN (${code}: ${words})`
        : `Document ${number} was not registered (${code}: ${words})`,
      toDo: [
        ...(isAboutBuyer ? ["Sync the GSTIN in the e-invoice portal, and ask the buyer if it's right."] : []),
        "Once the cause is fixed, register it again in Desk.",
      ],
    });
  });
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
          toDo: ["Fix what the tax office reports, then register it again in Desk."],
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
    if (!(await markPendingAgain(trx, number, new Date())))
      throw new DomainError("conflict", "Only a document that was rejected can be retried.");
    await recordAudit(trx, {
      userId: null,
      staffId,
      action: "document.retry",
      subject: `document:${number}`,
      data: { reason, by },
    });
    await askFor(trx, "register-document", number, 0);
  });
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
  const { SellerDtls } = bodySchema.parse(document.body);
  try {
    const gsp = context.eInvoicesOf(document.account);
    const { irn } = document;
    await forOrderOf(document, () => gsp.cancel(SellerDtls.Gstin, { irn, code, words }, randomUUID()));
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
  | { state: "not_needed" }
  | { state: "pending" | "failed" }
  | ({ state: "final" | "cancelled" } & Acknowledgement);

export async function registrationOf(db: Db, number: string): Promise<Registration> {
  const document = await findEInvoice(db, number);
  if (document === null) return { state: "not_needed" };
  const { state, acknowledgement } = document;
  if (state === "pending" || state === "failed") return { state };
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
  return state !== "pending" && state !== "failed";
}
