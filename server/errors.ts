/**
 * The errors that a user may see by design. Anything that is not a DomainError is a fault: it is logged, and the user sees
 * the generic error page.
 */

import { english, type Told, told } from "./languages/text.ts";

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

/** An expected refusal, with a message written for the end user. Mapped in one place for pages and in one for JSON. */
export class DomainError extends Error {
  readonly code: DomainErrorCode;
  readonly status: number;
  /** Whole seconds until a retry makes sense, sent as Retry-After. */
  readonly retryAfterSeconds: number | undefined;
  /** The refusal without its language. `message` is its English. */
  readonly told: Told | string;
  /** Form field names to messages, when the refusal belongs to fields. */
  readonly fields: Readonly<Record<string, Told | string>> | undefined;

  constructor(
    code: DomainErrorCode,
    message: Told | string,
    options: { retryAfterSeconds?: number; fields?: Record<string, Told | string>; cause?: unknown } = {},
  ) {
    super(english(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "DomainError";
    this.told = message;
    this.code = code;
    this.status = statusOf[code];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.fields = options.fields;
  }
}

const missing = {
  page: told("errors.noPage"),
  account: told("errors.noAccount"),
  address: told("errors.noAddress"),
  call: told("errors.noCall"),
  company: told("errors.noCompany"),
  country: told("errors.noCountry"),
  creditNote: told("errors.noCreditNote"),
  invitation: told("errors.noInvitation"),
  invoice: told("errors.noInvoice"),
  language: told("errors.noLanguage"),
  link: told("errors.noLink"),
  member: told("errors.noMember"),
  order: told("errors.noOrder"),
  payment: told("errors.noPayment"),
  plan: told("errors.noPlan"),
  subscription: told("errors.noSubscription"),
  user: told("errors.noUser"),
};

export function notFound(what: keyof typeof missing = "page"): DomainError {
  return new DomainError("not_found", missing[what]);
}

/** A refusal of one field, with the message at that field. */
export function wrongField(field: string, message: Told | string): DomainError {
  return new DomainError("bad_request", message, { fields: { [field]: message } });
}

/** Sentences that are each a message, one after the other. */
export function sentences(first: Told | string, ...others: readonly (Told | string)[]): Told | string {
  const [next, ...rest] = others;
  return next === undefined ? first : told("errors.sentences", { first, next: sentences(next, ...rest) });
}

/** Exhaustiveness check for a switch over a union: a new member fails to compile instead of failing the buyer. */
export function unreachable(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`);
}
