/** Partner Center's webhooks, as hints that a subscription has changed. */
import type { Context } from "#server/context.ts";
import { DomainError } from "#server/errors.ts";
import { ForgedNotice, readNotice, requireSigned } from "#server/providers/partner-center/notices.ts";
import type { NoticeRequest, VendorNotice } from "../notices.ts";

/** @throws DomainError unauthenticated, bad_request; ProviderError when the certificate cannot be read now */
export async function readPartnerNotice(
  { env, log }: Context,
  { body, headers }: NoticeRequest,
): Promise<VendorNotice> {
  const trust = {
    certificateHosts: env.PARTNER_NOTICE_CERTIFICATE_HOSTS,
    authorities: env.PARTNER_NOTICE_AUTHORITIES,
    organisation: env.PARTNER_NOTICE_ORGANISATION,
    timeoutMs: env.PROVIDER_TIMEOUT_MS,
    onCall: (call: object) => log.info({ call }, "provider call"),
  };
  try {
    await requireSigned(body, headers, trust, new Date());
  } catch (error) {
    if (!(error instanceof ForgedNotice)) throw error;
    log.warn({ reason: error.message }, "a notice of Partner Center was refused");
    throw new DomainError("unauthenticated", "The notice is not signed by Microsoft.");
  }
  const notice = readNotice(body);
  if (notice === null) throw new DomainError("bad_request", "This is not a notice.");
  const { name, subscriptionId: externalId, changedAt } = notice;
  return { name, externalId, changedAt };
}
