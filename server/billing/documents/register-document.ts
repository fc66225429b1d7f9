/**
 * Registers a document at the invoice registration portal (docs/decisions/invoices.md#registration): tried again while the portal cannot be reached, and
 * given up when it is refused. A crash does not register it twice: a document that may have been sent is looked up first.
 */
import { randomUUID } from "node:crypto";
import { type EInvoice, findEInvoice, markNotRegistered, markSubmitted } from "#db/billing/e-invoices.ts";
import {
  type EInvoices,
  noLongerShownCode,
  type RegisteredDocument,
} from "#server/integrations/e-invoices.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import type { Context } from "#server/platform/context.ts";
import { completeRegistration } from "./complete-registration.ts";
import { giveUpAsTooOld, giveUpRegistration, type PortalRefusal } from "./give-up-registration.ts";
import {
  differenceOf,
  findRegisteredVersion,
  type RegisteredVersion,
  sellerOf,
} from "./registered-version.ts";
import { forOrderOf, maxRegistrationAgeMs, queueRegistrationJob } from "./registration-queue.ts";

const maxWaitMs = 60 * 60 * 1_000;

/** Runs the job that registers a document. Does not throw portal errors: it decides and stores the next try itself. */
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
      return await giveUpRegistration(context, document, { code: "different", words: version.problem });
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
    if (error.kind === "refused" && error.code !== "no_account")
      return giveUpRegistration(context, document, said);
    await postpone(context, document, said);
  }
}

/**
 * Registers a document, or finds its registration.
 * @returns the registration and the registered version; null for a document that another caller has finished
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
 * Queries the portal for a document that may have been sent.
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

/** Builds the error after which only a person can retrieve the document from the portal. */
function noLongerShown(irn: string): ProviderError {
  return new ProviderError("gsp", "refused", `finding ${irn}`, {
    code: noLongerShownCode,
    description: `Already registered as ${irn}, but the portal no longer shows it.`,
  });
}

/** Schedules the next try. Each wait is twice the one before, up to an hour. */
async function postpone({ db, env }: Context, document: EInvoice, said: PortalRefusal): Promise<void> {
  const { number, tries } = document;
  const waitMs = Math.min(maxWaitMs, env.RETRY_BASE_MS * 2 ** Math.min(tries, 20));
  const now = new Date();
  await db.transaction().execute(async (trx) => {
    const nextTryAt = new Date(now.getTime() + waitMs);
    if (await markNotRegistered(trx, document, { ...said, nextTryAt }, now))
      await queueRegistrationJob(trx, "register-document", number, waitMs);
  });
}
