/** Errors that a user may see by design. Any other error is a fault: it is logged, and the user sees the generic error page. */

import { english, type MessageDescriptor, msg } from "./languages/text.ts";

export type DomainErrorCode =
  | "bad_request"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "price_changed"
  | "too_large"
  | "unsupported_media_type"
  | "rate_limited"
  | "provider_refused"
  | "provider_unavailable"
  | "busy";

const statusOf: Record<DomainErrorCode, number> = {
  bad_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  price_changed: 409,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  provider_refused: 502,
  provider_unavailable: 503,
  busy: 503,
};

/** Facts about a refusal, as the log names them; docs/operate/logs.md lists them. Without one, the log has the code. */
export const refusalOutcomes = [
  "account-closed",
  "account-locked",
  "forged-signature",
  "other-site",
  "rate-limited",
  "second-factor-needed",
  "sign-in-over",
  "wrong-code",
  "wrong-passkey",
  "wrong-password",
] as const;

/** Account that a refusal concerns when nobody is signed in to it. */
export interface RefusedAccount {
  userId?: string | undefined;
  staffId?: string | undefined;
}

/** Facts for the log. Never an email, a secret or a token. */
export interface RefusalFacts extends RefusedAccount {
  outcome: (typeof refusalOutcomes)[number];
  /** Name of the rate limit. */
  limit?: string;
}

/** Facts of a refused webhook, notice or return whose signature is not its sender's. */
export const forged = { outcome: "forged-signature" } as const satisfies RefusalFacts;

/** An expected refusal, with a message written for the end user. Mapped in one place for pages and in one for JSON. */
export class DomainError extends Error {
  readonly code: DomainErrorCode;
  readonly status: number;
  /** Whole seconds until a retry makes sense, sent as Retry-After. */
  readonly retryAfterSeconds: number | undefined;
  /** Message of the refusal, independent of the language. `message` is its English. */
  readonly descriptor: MessageDescriptor | string;
  /** Form field names to messages, when the refusal belongs to fields. */
  readonly fields: Readonly<Record<string, MessageDescriptor | string>> | undefined;
  readonly facts: RefusalFacts | undefined;
  /** Suggested values for the refused field. */
  readonly offers: readonly string[];

  constructor(
    code: DomainErrorCode,
    message: MessageDescriptor | string,
    options: {
      retryAfterSeconds?: number;
      fields?: Record<string, MessageDescriptor | string>;
      facts?: RefusalFacts | undefined;
      offers?: readonly string[];
      cause?: unknown;
    } = {},
  ) {
    super(english(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "DomainError";
    this.descriptor = message;
    this.code = code;
    this.status = statusOf[code];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.fields = options.fields;
    this.facts = options.facts;
    this.offers = options.offers ?? [];
  }
}

const missing = {
  page: msg("errors.noPage"),
  account: msg("errors.noAccount"),
  address: msg("errors.noAddress"),
  call: msg("errors.noCall"),
  company: msg("errors.noCompany"),
  country: msg("errors.noCountry"),
  creditNote: msg("errors.noCreditNote"),
  invitation: msg("errors.noInvitation"),
  invoice: msg("errors.noInvoice"),
  language: msg("errors.noLanguage"),
  link: msg("errors.noLink"),
  member: msg("errors.noMember"),
  order: msg("errors.noOrder"),
  payment: msg("errors.noPayment"),
  plan: msg("errors.noPlan"),
  subscription: msg("errors.noSubscription"),
  user: msg("errors.noUser"),
};

export function notFound(what: keyof typeof missing = "page"): DomainError {
  return new DomainError("not_found", missing[what]);
}

/** Creates the refusal of one field, with the message at that field. */
export function wrongField(
  field: string,
  message: MessageDescriptor | string,
  facts?: RefusalFacts,
): DomainError {
  return new DomainError("bad_request", message, { fields: { [field]: message }, facts });
}

/** Joins messages that are each a sentence. */
export function sentences(
  first: MessageDescriptor | string,
  ...others: readonly (MessageDescriptor | string)[]
): MessageDescriptor | string {
  const [next, ...rest] = others;
  return next === undefined ? first : msg("errors.sentences", { first, next: sentences(next, ...rest) });
}

/** Exhaustiveness check for a switch over a union: a new member fails to compile instead of failing the buyer. */
export function assertNever(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`);
}
