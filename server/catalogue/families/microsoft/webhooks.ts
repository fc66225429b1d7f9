/** Partner Center's webhooks, as hints that a subscription has changed. */

import { DomainError, forged } from "#server/foundation/errors.ts";
import {
  ForgedWebhookError,
  readNotice,
  requireSignedWebhook,
} from "#server/integrations/partner-center/webhooks.ts";
import type { Context } from "#server/platform/context.ts";
import type { VendorEvent, VendorWebhookRequest } from "../vendor-webhooks.ts";

/** @throws DomainError unauthenticated, bad_request; ProviderError when the certificate cannot be read now */
export async function parsePartnerEvent(
  { env, log }: Context,
  { body, headers }: VendorWebhookRequest,
): Promise<VendorEvent> {
  const trust = {
    certificateHosts: env.PARTNER_NOTICE_CERTIFICATE_HOSTS,
    authorities: env.PARTNER_NOTICE_AUTHORITIES,
    organisation: env.PARTNER_NOTICE_ORGANISATION,
    timeoutMs: env.PROVIDER_TIMEOUT_MS,
    onCall: (call: object) => log.info({ call }, "provider call"),
  };
  try {
    await requireSignedWebhook(body, headers, trust, new Date());
  } catch (error) {
    if (!(error instanceof ForgedWebhookError)) throw error;
    log.warn({ reason: error.message }, "a notice of Partner Center was refused");
    throw new DomainError("unauthenticated", "The notice is not signed by Microsoft.", { facts: forged });
  }
  const notice = readNotice(body);
  if (notice === null) throw new DomainError("bad_request", "This is not a notice.");
  const { name, subscriptionId: externalId, changedAt } = notice;
  return { name, externalId, changedAt };
}
