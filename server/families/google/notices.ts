/** Cloud Channel's events, as hints that an entitlement has changed. */
import type { Context } from "#server/context.ts";
import { DomainError } from "#server/errors.ts";
import * as paths from "#server/paths.ts";
import { ForgedPush, readPush, requirePushed } from "#server/providers/google/push.ts";
import type { NoticeRequest, VendorNotice } from "../notices.ts";

/** Sent for each user who gets or loses a licence: the commitment stays as it is. */
const aboutUsers = "LICENSE_ASSIGNMENT_CHANGED";

/** @throws DomainError unauthenticated, bad_request */
export async function readChannelEvent(
  { env, log }: Context,
  { body, headers }: NoticeRequest,
): Promise<VendorNotice> {
  const trust = {
    certsUrl: env.GOOGLE_CERTS_URL,
    audience: new URL(paths.vendorNotices("google"), env.PUBLIC_URL).href,
    email: env.GOOGLE_PUSH_EMAIL,
    timeoutMs: env.PROVIDER_TIMEOUT_MS,
  };
  try {
    await requirePushed(headers.get("authorization"), trust);
  } catch (error) {
    if (!(error instanceof ForgedPush)) throw error;
    log.warn({ reason: error.message }, "an event of Cloud Channel was refused");
    throw new DomainError("unauthenticated", "The event was not sent by Google.");
  }
  const event = readPush(body);
  if (event === null) throw new DomainError("bad_request", "This is not an event.");
  const { name, entitlement, publishedAt } = event;
  return { name, externalId: name === aboutUsers ? null : entitlement, changedAt: publishedAt };
}
