/**
 * Microsoft's and Google's announcements of changed subscriptions: Partner Center's webhooks, signed with a certificate that is
 * served here, and Cloud Channel's events in Pub/Sub's push format, with a token of Google's. They only name what changed, never
 * how.
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign, X509Certificate } from "node:crypto";
import { exportJWK, SignJWT } from "jose";
import { type HttpHandler, HttpResponse, http } from "msw";
import { issueCertificate } from "./certificates.ts";
import { WebhookDeliveries } from "./deliveries.ts";
import { anyOrigin, guid } from "./http-helpers.ts";

const certificatePath = "/microsoft-certificates/notices.cer";
const keysPath = "/google-certs";
const keyId = "sandbox-push";
const day = 24 * 3600_000;

/** Authority that issues the sandbox's certificates. */
export const sandboxAuthority = { organisation: "Sandbox Authority", name: "Sandbox Root" };

interface Signer {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

interface PartnerWebhook {
  event: string;
  /** The changed resource, and its kind. */
  uri: string;
  resource: string;
  changedAt: number;
  url: string;
  eventId: string;
}

export class VendorWebhooks extends WebhookDeliveries {
  /** Test notices that partners asked for, by the id of their delivery. */
  readonly tests: { id: string; country: string; url: string; at: number }[] = [];
  /** The sandbox's address. */
  origin = "";
  #signer: Signer | undefined;
  #certificate: X509Certificate | undefined;

  /** Created on first use, because generating a key takes a while. */
  get signer(): Signer {
    this.#signer ??= generateKeyPairSync("rsa", { modulusLength: 2048 });
    return this.#signer;
  }

  override reset(): void {
    super.reset();
    this.tests.length = 0;
  }

  get certificate(): X509Certificate | undefined {
    const { authorityKey } = this.options.notices ?? {};
    if (authorityKey === undefined) return undefined;
    if (this.#certificate !== undefined && Date.now() < Date.parse(this.#certificate.validTo))
      return this.#certificate;
    this.#certificate = new X509Certificate(
      issueCertificate({
        subject: { organisation: "Microsoft Corporation", name: "Sandbox Notices" },
        publicKey: this.signer.publicKey,
        issuer: { ...sandboxAuthority, privateKey: createPrivateKey(authorityKey) },
        isAuthority: false,
        from: new Date(Date.now() - day),
        to: new Date(Date.now() + 365 * day),
      }),
    );
    return this.#certificate;
  }

  microsoft({ customerId, id }: { customerId: string; id: string }, changedAt: number): void {
    const { notices } = this.options;
    if (notices === undefined) return;
    this.partnerCenter({
      event: "subscription-updated",
      uri: `${this.origin}/partner-center/v1/customers/${customerId}/subscriptions/${id}`,
      resource: "subscription",
      changedAt,
      url: notices.urlOf("microsoft"),
      eventId: guid(),
    });
  }

  /** Signs and sends one webhook of Partner Center. */
  partnerCenter({ event, uri, resource, changedAt, url, eventId }: PartnerWebhook): void {
    const body = JSON.stringify({
      EventName: event,
      ResourceUri: uri,
      ResourceName: resource,
      AuditUri: null,
      ResourceChangeUtcDate: new Date(changedAt).toISOString(),
    });
    this.deliver({
      url,
      event,
      eventId,
      body,
      headers: {
        authorization: `Signature ${sign("sha256", Buffer.from(body), this.signer.privateKey).toString("base64")}`,
        "x-ms-certificate-url": `${this.origin}${certificatePath}`,
        "x-ms-signature-algorithm": "rsa-sha256",
      },
    });
  }

  async google(entitlement: string, event: string, changedAt: number): Promise<void> {
    const { notices } = this.options;
    if (notices === undefined) return;
    const url = notices.urlOf("google");
    const data = { entitlement_event: { event_type: event, entitlement } };
    const eventId = guid();
    const body = JSON.stringify({
      message: {
        data: Buffer.from(JSON.stringify(data)).toString("base64"),
        attributes: { subscriber_event_type: "ENTITLEMENT_EVENT", event_type: event },
        messageId: eventId,
        publishTime: new Date(changedAt).toISOString(),
      },
      subscription: "projects/sandbox/subscriptions/store",
    });
    const token = await new SignJWT({ email: notices.googleEmail, email_verified: true })
      .setProtectedHeader({ alg: "RS256", kid: keyId, typ: "JWT" })
      .setIssuer("https://accounts.google.com")
      .setAudience(url)
      .setIssuedAt()
      .setExpirationTime("1h")
      .sign(this.signer.privateKey);
    this.deliver({
      url,
      event,
      eventId,
      body,
      headers: { authorization: `Bearer ${token}` },
    });
  }
}

export function vendorWebhookHandlers({ notices }: { notices: VendorWebhooks }): HttpHandler[] {
  return [
    http.get(anyOrigin(certificatePath), () => {
      const { certificate } = notices;
      return certificate === undefined
        ? new HttpResponse(null, { status: 404 })
        : HttpResponse.arrayBuffer(new Uint8Array(certificate.raw).buffer, {
            headers: { "content-type": "application/pkix-cert" },
          });
    }),
    http.get(anyOrigin(keysPath), async () => {
      const key = await exportJWK(notices.signer.publicKey);
      return HttpResponse.json({ keys: [{ ...key, kid: keyId, alg: "RS256", use: "sig" }] });
    }),
  ];
}
