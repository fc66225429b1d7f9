/** The vendors' webhooks: verified against the raw body, and answered by a refresh that a job does (docs/decisions/fulfilment.md#source-of-truth). */
import { isFamilyId } from "#server/catalogue/families/registry.ts";
import { receiveVendorWebhook } from "#server/orders/subscriptions/vendor-webhooks.ts";
import { notFound, postOnly, rawAction } from "./shared/route.ts";

export const loader = postOnly;

export const action = rawAction(({ context, raw: { headers } }, body, { family = "" }) => {
  if (!isFamilyId(family)) throw notFound();
  return receiveVendorWebhook(context, family, { body, headers });
});
