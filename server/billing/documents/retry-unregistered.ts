/** Cron job for documents that are not registered: lost jobs, late documents, and those that the portal no longer accepts. */
import {
  listCreditNotesOfFailedRefunds,
  listUnregisteredDue,
  markLateNotified,
} from "#db/billing/e-invoices.ts";
import { queueOperatorAlert } from "#server/foundation/outbox/mail.ts";
import type { Context } from "#server/platform/context.ts";
import { cancellableForMs, queueCancellation, refundFailed } from "./cancel-registration.ts";
import { giveUpAsTooOld } from "./give-up-registration.ts";
import { maxRegistrationAgeMs, queueRegistrationJob } from "./registration-queue.ts";

/** Age of an unregistered document at which the operator is alerted. */
const lateAfterMs = 7 * 24 * 60 * 60 * 1_000;

/** Maximum number of documents per run. */
const maxWaiting = 1_000;

/** Time that a job is given before the cron job queues another. */
const jobLateMs = 10 * 60 * 1_000;

/**
 * Runs the cron job: queues lost jobs again, alerts the operator about late documents, and fails those too old for the portal.
 * The registered credit note of a failed refund is cancelled while that is possible.
 */
export async function retryUnregisteredDocuments(context: Context): Promise<void> {
  const { db } = context;
  const now = Date.now();
  for (const { number } of await listCreditNotesOfFailedRefunds(db, new Date(now - cancellableForMs)))
    await db.transaction().execute((trx) => queueCancellation(trx, number, refundFailed, new Date(now)));
  const moments = {
    triedBefore: new Date(now - jobLateMs),
    tooOldBefore: new Date(now - maxRegistrationAgeMs),
    lateBefore: new Date(now - lateAfterMs),
  };
  for (const document of await listUnregisteredDue(db, moments, maxWaiting)) {
    const { number, state, issuedAt, nextTryAt, orderId } = document;
    const ageMs = now - issuedAt.getTime();
    if (state === "final") {
      await db.transaction().execute((trx) => queueRegistrationJob(trx, "cancel-document", number, 0));
      continue;
    }
    if (state === "pending" && ageMs > maxRegistrationAgeMs) await giveUpAsTooOld(context, document);
    else if (state === "pending" && (nextTryAt === null || nextTryAt.getTime() < now - jobLateMs))
      await db.transaction().execute((trx) => queueRegistrationJob(trx, "register-document", number, 0));
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
