/**
 * Decisions by staff about a cancellation that its vendor neither makes nor refuses. The decision is stored and the job acts on
 * it, so that it never interferes with a request in progress.
 */
import {
  type Cancellation,
  type Decision,
  findCancellation,
  readCancellationLocked,
  updateCancellation,
} from "#db/billing/cancellations.ts";
import type { CancellationId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import { type AuditActor, recordAudit } from "#server/foundation/audit.ts";
import { DomainError, notFound } from "#server/foundation/errors.ts";
import { queueCancellation } from "./queue.ts";

/** Reads a cancellation. @throws DomainError not_found */
export async function getCancellation(db: Db, id: CancellationId | null): Promise<Cancellation> {
  const found = id === null ? null : await findCancellation(db, id);
  if (found === null) throw notFound();
  return found;
}

/** Returns the reason, as a sentence, why this decision is not possible; null when it is. */
export function whyNotDecided(
  { state, needsPerson }: Pick<Cancellation, "state" | "needsPerson">,
  act: Decision["act"],
): string | null {
  if (state === "refused" || state === "refund_requested")
    return `This cancellation has already ended: ${state}.`;
  if (!needsPerson)
    return "This cancellation is still being retried. You can only decide one that needs attention.";
  if (act === "refuse" && state === "vendor_done")
    return "The vendor has already made the change, so you can only complete it.";
  return null;
}

/**
 * Stores the decision for the job: refuse the cancellation unless the vendor turns out to have made the change, or finish it as
 * if the vendor had.
 * @param decision.reason shown to the buyer when it is refused
 * @throws DomainError not_found; conflict for one that has ended, that is still retried automatically, or that the vendor has
 * made
 */
export async function decideCancellation(
  db: Db,
  id: CancellationId | null,
  decision: Decision,
  { by, staffId }: AuditActor,
): Promise<void> {
  const { id: known } = await getCancellation(db, id);
  await db.transaction().execute(async (trx) => {
    const cancellation = await readCancellationLocked(trx, known);
    if (cancellation === null) throw notFound();
    const why = whyNotDecided(cancellation, decision.act);
    if (why !== null) throw new DomainError("conflict", why);
    await updateCancellation(trx, cancellation, { decision });
    await recordAudit(trx, {
      userId: null,
      staffId,
      action: `cancellation.${decision.act}`,
      subject: `cancellation:${known}`,
      data: { reason: decision.reason, by },
    });
    await queueCancellation(trx, known);
  });
}
