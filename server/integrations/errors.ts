/**
 * The only error that provider clients throw. Its kind decides what happens next: a transient failure is retried, a refusal is
 * not, and a misconfiguration is retried while the operator corrects our account or its key. isIdempotentByRequestId says when a
 * retry keeps its request id.
 */

export type Provider =
  | "microsoft"
  | "razorpay"
  | "gst"
  | "gsp"
  | "google"
  | "outlook"
  | "google-sign-in"
  | "entra"
  | "dns"
  | "smtp";

/**
 * Whether a provider recognises a repeated write only by its request id. For such a provider the id is kept while an attempt is
 * in doubt. The others need a new id after any response (docs/providers.md, sections 1.2 and 2.1).
 */
export const isIdempotentByRequestId: Readonly<Record<Provider, boolean>> = {
  microsoft: false,
  razorpay: false,
  gst: false,
  gsp: false,
  google: true,
  outlook: false,
  "google-sign-in": false,
  entra: false,
  dns: false,
  smtp: false,
};

/** `misconfigured`: the provider rejects our own credentials or permissions, and says nothing about the customer or the order. */
export type ProviderErrorKind = "transient" | "refused" | "misconfigured";

/** Code for a response that differs from the provider's documentation: the provider has changed, or another server responded. */
export const unexpectedAnswer = "unexpected_answer";

/** Code for a refused payout that succeeds once our account at the provider has the amount. */
export const noFunds = "no_funds";

export interface ProviderErrorDetails {
  status?: number | undefined;
  code?: string | undefined;
  retryAfterSeconds?: number | undefined;
  description?: string | undefined;
}

/**
 * A call that did not succeed. The message contains only the call and the codes. `description` is the provider's own text
 * (shortened, with the call's credentials redacted) for the operator's log, never for a page.
 */
export class ProviderError extends Error {
  readonly provider: Provider;
  readonly kind: ProviderErrorKind;
  /** HTTP or SMTP status. Absent without a response. */
  readonly status: number | undefined;
  /** The provider's error code as text, or the reason for a missing response ("timeout", "ECONNRESET"). */
  readonly code: string | undefined;
  /** Wait that the provider requested, in whole seconds. */
  readonly retryAfterSeconds: number | undefined;
  readonly description: string | undefined;

  constructor(provider: Provider, kind: ProviderErrorKind, call: string, details: ProviderErrorDetails = {}) {
    const facts = [details.status, details.code].filter((fact) => fact !== undefined).join(", ");
    const verb = kind === "transient" ? "failed for now at" : "refused";
    super(`${provider} ${verb} ${call}${facts === "" ? "" : ` (${facts})`}`);
    this.name = "ProviderError";
    this.provider = provider;
    this.kind = kind;
    this.status = details.status;
    this.code = details.code;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.description = details.description;
  }
}

/** Returns the same failure as another kind, for the few codes whose meaning the HTTP status does not express. */
export function withKind(error: ProviderError, kind: ProviderErrorKind, call: string): ProviderError {
  return new ProviderError(error.provider, kind, call, error);
}

/**
 * Providers whose 403 only concerns our account. At Microsoft and Google it may concern the customer, which the error's code
 * shows.
 */
const forbidsAccountsOnly: ReadonlySet<Provider> = new Set(["razorpay", "gst", "gsp"]);

/**
 * Derives the kind from a status: 408, 429 and every 5xx may succeed later; 401 concerns our credentials. Any other failure
 * concerns the call.
 */
export function kindOfStatus(provider: Provider, status: number): ProviderErrorKind {
  if (status === 408 || status === 429 || status >= 500) return "transient";
  const isOurs = status === 401 || (status === 403 && forbidsAccountsOnly.has(provider));
  return isOurs ? "misconfigured" : "refused";
}
