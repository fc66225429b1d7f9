/**
 * Partner Center's webhooks: verifies their origin, and reads their subject. Microsoft signs the body with a certificate whose
 * address it names (docs/providers.md, section 1.8).
 */
import { verify, X509Certificate } from "node:crypto";
import { z } from "zod";
import { isLoopback } from "#server/foundation/security/network.ts";
import { download, type OnCall } from "../http.ts";

export interface WebhookTrust {
  /** Hosts from which certificates are read, with a port unless it is the standard one. */
  certificateHosts: readonly string[];
  /** PEM of the authorities, one of which must have issued the certificate, directly or through given intermediates. */
  authorities: string;
  /** The organisation in the certificate's subject. */
  organisation: string;
  timeoutMs: number;
  onCall?: OnCall | undefined;
}

/** Thrown for a webhook that is not proven to be Microsoft's. The message is for the log. */
export class ForgedWebhookError extends Error {}

/**
 * Verifies the signature of a webhook's body.
 * @throws ForgedWebhookError; ProviderError (transient) when the certificate cannot be read now
 */
export async function requireSignedWebhook(
  body: Buffer,
  headers: Headers,
  trust: WebhookTrust,
  now: Date,
): Promise<void> {
  const [, inAuthorization] = /^Signature (.+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  // Microsoft's example strips the scheme here too.
  const signature = headers.get("x-ms-signature")?.replace(/^Signature /i, "") ?? inAuthorization;
  const address = headers.get("x-ms-certificate-url");
  if (signature === undefined || address === null) throw new ForgedWebhookError("it is not signed");
  const algorithm = headers.get("x-ms-signature-algorithm")?.toLowerCase();
  if (algorithm !== "rsa-sha256")
    throw new ForgedWebhookError(`it is signed with ${algorithm ?? "nothing named"}`);
  const certificates = await certificatesAt(address, trust);
  const signer = requireTrustedCertificate(
    certificates,
    certificatesIn(Buffer.from(trust.authorities)),
    trust,
    now,
  );
  if (signer.publicKey.asymmetricKeyType !== "rsa")
    throw new ForgedWebhookError("its certificate has no RSA key");
  if (!verify("sha256", body, signer.publicKey, Buffer.from(signature, "base64")))
    throw new ForgedWebhookError("its signature does not fit its body");
}

/** A certificate is valid for about a year; a new one has a new address. */
const keptMs = 3_600_000;
const maxCachedCertificates = 20;
const kept = new Map<string, { certificates: X509Certificate[]; until: number }>();

async function certificatesAt(address: string, trust: WebhookTrust): Promise<X509Certificate[]> {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isSafe = url?.protocol === "https:" || isLoopback(address);
  if (url === null || !isSafe || url.username !== "" || !trust.certificateHosts.includes(url.host))
    throw new ForgedWebhookError(
      `its certificate is at ${url?.host ?? "no address"}, which is not an allowed host`,
    );
  const known = kept.get(url.href);
  if (known !== undefined && known.until > Date.now()) return known.certificates;
  const { timeoutMs, onCall } = trust;
  const certificates = certificatesIn(
    await download({ provider: "microsoft", method: "GET", url: url.href, timeoutMs, onCall }),
  );
  if (kept.size >= maxCachedCertificates) kept.clear();
  kept.set(url.href, { certificates, until: Date.now() + keptMs });
  return certificates;
}

const pemBlock = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** Returns the certificates of a PEM file, or the one of a DER file. @throws ForgedWebhookError */
export function certificatesIn(file: Buffer): X509Certificate[] {
  try {
    const blocks = file.toString("latin1").match(pemBlock);
    if (blocks !== null) return blocks.map((block) => new X509Certificate(block));
    return file.length === 0 ? [] : [new X509Certificate(file)];
  } catch {
    throw new ForgedWebhookError("its certificate cannot be read");
  }
}

const maxChainLength = 5;

/**
 * Follows the certificate to one of the authorities.
 * @param certificates the signer's first, then possible intermediates
 * @returns the signer's
 * @throws ForgedWebhookError
 */
export function requireTrustedCertificate(
  [signer, ...between]: readonly X509Certificate[],
  authorities: readonly X509Certificate[],
  { organisation }: Pick<WebhookTrust, "organisation">,
  now: Date,
): X509Certificate {
  if (signer === undefined || signer.ca) throw new ForgedWebhookError("its certificate is not a signer's");
  if (!signer.subject.split("\n").includes(`O=${organisation}`))
    throw new ForgedWebhookError(`its certificate is not of ${organisation}`);
  let current = signer;
  for (let length = 1; length < maxChainLength; length += 1) {
    if (!isValid(current, now)) throw new ForgedWebhookError("a certificate of its chain is not valid now");
    const issuer = (among: readonly X509Certificate[]) =>
      among.find((one) => one.ca && current.checkIssued(one) && current.verify(one.publicKey));
    const authority = issuer(authorities);
    if (authority !== undefined) {
      if (isValid(authority, now)) return signer;
      throw new ForgedWebhookError("the authority of its certificate is not valid now");
    }
    const next = issuer(between);
    if (next === undefined) break;
    current = next;
  }
  throw new ForgedWebhookError("its certificate is of no authority that is trusted");
}

function isValid({ validFrom, validTo }: X509Certificate, now: Date): boolean {
  return new Date(validFrom) <= now && now <= new Date(validTo);
}

const notice = z.object({
  EventName: z.string().max(100),
  ResourceUri: z.string().max(2_000).nullish(),
  ResourceChangeUtcDate: z.string().nullish(),
});

export interface PartnerNotice {
  /** "subscription-updated", "test-created", ... */
  name: string;
  /** Null for any other webhook. */
  subscriptionId: string | null;
  changedAt: Date | null;
}

/** @returns null for a body that is not a webhook */
export function readNotice(body: Buffer): PartnerNotice | null {
  const { data } = notice.safeParse(jsonOf(body));
  if (data === undefined) return null;
  const [, subscriptionId = null] = /\/subscriptions\/([\w-]{1,100})\/?$/.exec(data.ResourceUri ?? "") ?? [];
  const changedAt = new Date(data.ResourceChangeUtcDate ?? "");
  return {
    name: data.EventName,
    subscriptionId,
    changedAt: Number.isNaN(changedAt.getTime()) ? null : changedAt,
  };
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
