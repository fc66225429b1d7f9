/**
 * Receives vendors' notices of changed subscriptions. They arrive late, twice and in any order, so a notice only requests a
 * refresh, which reads what is so now (docs/decisions/fulfilment.md#source-of-truth).
 */

import { findByExternalId } from "#db/orders/subscriptions.ts";
import { recordWebhookReceived } from "#db/platform/provider-health.ts";
import type { FamilyId } from "#db/tables/enums.ts";
import { families } from "#server/catalogue/families/registry.ts";
import type { VendorWebhookRequest } from "#server/catalogue/families/vendor-webhooks.ts";
import { notFound } from "#server/foundation/errors.ts";
import { labelOf, webhooks } from "#server/integrations/metrics/process-metrics.ts";
import type { Context } from "#server/platform/context.ts";
import { queueRefresh } from "./queue.ts";

/** A vendor's clock and ours may differ, and its data may lag behind its notices. */
const marginMs = 60_000;

/**
 * Receives a vendor's notice.
 * @returns whether a refresh was queued; any other notice is only logged
 * @throws DomainError not_found for a family without a vendor, unauthenticated for a notice that is not proven to be the
 * vendor's, bad_request for an invalid body
 */
export async function receiveVendorWebhook(
  context: Context,
  family: FamilyId,
  request: VendorWebhookRequest,
): Promise<{ received: true; queued: boolean }> {
  const { vendor } = families[family];
  if (vendor === null) throw notFound();
  const event = await vendor.readNotice(context, request).catch((error: unknown) => {
    webhooks.inc({ provider: family, event: "unknown", result: "refused" });
    throw error;
  });
  await recordWebhookReceived(context.db, { source: family, kind: labelOf("notice", event.name) });
  const { externalId, changedAt } = event;
  const found = externalId === null ? null : await findByExternalId(context.db, family, externalId);
  const isRead =
    changedAt !== null && found?.readAt != null && found.readAt.getTime() > changedAt.getTime() + marginMs;
  const queued = found !== null && !isRead;
  if (queued) await context.db.transaction().execute((trx) => queueRefresh(trx, found.id));
  webhooks.inc({ provider: family, event: "change", result: "accepted" });
  context.log.info({ family, notice: event, queued }, "a vendor has announced a change");
  return { received: true, queued };
}
