/**
 * Receives what vendors announce: changes of subscriptions. They come late, twice and in any order, so a notice only asks for a
 * refresh, which reads what is so now (docs/decisions/vendor-is-right.md).
 */
import { findByExternalId } from "#db/subscriptions.ts";
import type { FamilyId } from "#db/tables/enums.ts";
import { savePulse } from "#db/vendor-signs.ts";
import type { Context } from "#server/context.ts";
import { notFound } from "#server/errors.ts";
import { families } from "#server/families/family.ts";
import type { NoticeRequest } from "#server/families/notices.ts";
import { labelOf, webhooks } from "#server/metrics/series.ts";
import { queueRefresh } from "./queue.ts";

/** A vendor's clock and ours may differ, and its answers may lag behind its notices. */
const marginMs = 60_000;

/**
 * @returns whether a refresh was queued; any other notice needs none, and is logged
 * @throws DomainError not_found for a family without a vendor, unauthenticated for a notice that is not proven to be the
 *   vendor's, bad_request for a body that is none
 */
export async function receiveNotice(
  context: Context,
  family: FamilyId,
  request: NoticeRequest,
): Promise<{ received: true; queued: boolean }> {
  const { vendor } = families[family];
  if (vendor === null) throw notFound();
  const notice = await vendor.readNotice(context, request).catch((error: unknown) => {
    webhooks.inc({ provider: family, event: "unknown", result: "refused" });
    throw error;
  });
  await savePulse(context.db, { source: family, kind: labelOf("notice", notice.name) });
  const { externalId, changedAt } = notice;
  const found = externalId === null ? null : await findByExternalId(context.db, family, externalId);
  const isRead =
    changedAt !== null && found?.readAt != null && found.readAt.getTime() > changedAt.getTime() + marginMs;
  const queued = found !== null && !isRead;
  if (queued) await context.db.transaction().execute((trx) => queueRefresh(trx, found.id));
  webhooks.inc({ provider: family, event: "change", result: "accepted" });
  context.log.info({ family, notice, queued }, "a vendor has announced a change");
  return { received: true, queued };
}
