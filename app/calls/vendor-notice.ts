/** The vendors' webhooks: verified against the raw body, and answered by a refresh that a job does (docs/decisions/vendor-is-right.md). */
import { isFamilyId } from "#server/families/family.ts";
import { receiveNotice } from "#server/subscriptions/notices.ts";
import { notFound, postOnly, rawAction } from "./shared/route.ts";

export const loader = postOnly;

export const action = rawAction(({ context, raw: { headers } }, body, { family = "" }) => {
  if (!isFamilyId(family)) throw notFound();
  return receiveNotice(context, family, { body, headers });
});
