/** Cloud Channel's events, as hints that an entitlement has changed. */

import { DomainError, forged } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { ForgedPushError, parsePush, requireGenuinePush } from "#server/integrations/google/push.ts";
import type { Context } from "#server/platform/context.ts";
import type { VendorEvent, VendorWebhookRequest } from "../vendor-webhooks.ts";

/** Sent for each user who gets or loses a licence; the commitment does not change. */
const aboutUsers = "LICENSE_ASSIGNMENT_CHANGED";

/** @throws DomainError unauthenticated, bad_request */
export async function parseChannelEvent(
  { env, log }: Context,
  { body, headers }: VendorWebhookRequest,
): Promise<VendorEvent> {
  const trust = {
    certsUrl: env.GOOGLE_CERTS_URL,
    audience: new URL(paths.vendorWebhook("google"), env.PUBLIC_URL).href,
    email: env.GOOGLE_PUSH_EMAIL,
    timeoutMs: env.PROVIDER_TIMEOUT_MS,
  };
  try {
    await requireGenuinePush(headers.get("authorization"), trust);
  } catch (error) {
    if (!(error instanceof ForgedPushError)) throw error;
    log.warn({ reason: error.message }, "an event of Cloud Channel was refused");
    throw new DomainError("unauthenticated", "The event was not sent by Google.", { facts: forged });
  }
  const event = parsePush(body);
  if (event === null) throw new DomainError("bad_request", "This is not an event.");
  const { name, entitlement, publishedAt } = event;
  return { name, externalId: name === aboutUsers ? null : entitlement, changedAt: publishedAt };
}
