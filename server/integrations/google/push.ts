/** Cloud Channel's events, pushed by Pub/Sub: verifies their origin, and reads their subject (docs/providers.md, section 2.6). */
import { createRemoteJWKSet, customFetch, errors, jwtVerify } from "jose";
import { z } from "zod";
import { egressFetch } from "#server/foundation/security/egress.ts";
import { ProviderError } from "../errors.ts";

export interface PushTrust {
  /** Address of Google's public keys. */
  certsUrl: string;
  /** Address that the events are pushed to, unless the subscription says otherwise. */
  audience: string;
  /** Service account as which the subscription pushes. */
  email: string;
  timeoutMs: number;
}

/** Thrown for a push that is not proven to be Google's. The message is for the log. */
export class ForgedPushError extends Error {}

const issuers = ["https://accounts.google.com", "accounts.google.com"];
const identity = z.object({ email: z.string(), email_verified: z.literal(true) });

/** One key set per address, because each caches its keys. */
const keys = new Map<string, ReturnType<typeof createRemoteJWKSet>>();

/**
 * Verifies the token of a push.
 * @throws ForgedPushError; ProviderError (transient) when Google's keys cannot be read now
 */
export async function requireGenuinePush(authorization: string | null, trust: PushTrust): Promise<void> {
  const [, token] = /^Bearer (\S+)$/i.exec(authorization ?? "") ?? [];
  if (token === undefined || trust.email === "")
    throw new ForgedPushError("it has no token, or none is expected");
  const keySet =
    keys.get(trust.certsUrl) ??
    createRemoteJWKSet(new URL(trust.certsUrl), {
      timeoutDuration: trust.timeoutMs,
      [customFetch]: (url, options) => egressFetch(url, options, { timeoutMs: trust.timeoutMs }),
    });
  keys.set(trust.certsUrl, keySet);
  try {
    const { payload } = await jwtVerify(token, keySet, {
      algorithms: ["RS256"],
      issuer: issuers,
      audience: trust.audience,
    });
    const { data } = identity.safeParse(payload);
    if (data?.email !== trust.email) throw new ForgedPushError("its token is of another account");
  } catch (error) {
    const isOfKeys = error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid;
    const isOfToken = error instanceof errors.JOSEError && error.code !== "ERR_JOSE_GENERIC" && !isOfKeys;
    if (error instanceof ForgedPushError) throw error;
    if (isOfToken) throw new ForgedPushError(`its token is refused: ${error.code}`);
    throw new ProviderError("google", "transient", "GET certs", { code: "keys_unread" });
  }
}

const envelope = z.object({
  message: z.object({
    data: z.base64(),
    publishTime: z.iso.datetime({ offset: true }).optional(),
  }),
});
const event = z.object({
  entitlement_event: z
    .object({ event_type: z.string().max(100), entitlement: z.string().max(300) })
    .optional(),
  customer_event: z.object({ event_type: z.string().max(100) }).optional(),
});

export interface ChannelEvent {
  /** "SUSPENDED", "COMMITMENT_CHANGED", "PRIMARY_DOMAIN_VERIFIED", ... */
  name: string;
  /** Null for any other event. */
  entitlement: string | null;
  publishedAt: Date | null;
}

/** @returns null for a body that is not an event */
export function parsePush(body: Buffer): ChannelEvent | null {
  const outer = envelope.safeParse(jsonOf(body.toString("utf8"))).data;
  const inner = event.safeParse(
    jsonOf(Buffer.from(outer?.message.data ?? "", "base64").toString("utf8")),
  ).data;
  if (outer === undefined || inner === undefined) return null;
  const { entitlement_event, customer_event } = inner;
  const { publishTime } = outer.message;
  return {
    name: entitlement_event?.event_type ?? customer_event?.event_type ?? "unknown",
    entitlement: entitlement_event?.entitlement ?? null,
    publishedAt: publishTime === undefined ? null : new Date(publishTime),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
