/**
 * Reasons of a declined payment for its buyer: Razorpay's reason codes mapped to our messages, so that each reader sees them in
 * their language (docs/providers.md, section 3.1). For a reason that is not listed, English readers see Razorpay's text and
 * others a general message.
 */
import { type LanguageId, perLanguage, standardLanguage } from "#server/foundation/languages/language.ts";
import type { PlainMessageKey } from "#server/foundation/languages/messages.ts";
import { type MessageDescriptor, msg, translate } from "#server/foundation/languages/text.ts";
import type { RazorpayPayment } from "#server/integrations/razorpay.ts";

const declines = [
  {
    said: "declines.bank",
    reasons: [
      "payment_failed",
      "payment_declined",
      "card_declined",
      "debit_declined",
      "authorisation_declined_by_psp",
    ],
  },
  {
    said: "declines.funds",
    reasons: ["insufficient_funds", "insufficient_balance", "credit_limit_exceeded"],
  },
  {
    said: "declines.identity",
    reasons: [
      "authentication_failed",
      "incorrect_otp",
      "invalid_otp",
      "otp_expired",
      "otp_attempts_exceeded",
      "incorrect_pin",
      "incorrect_atm_pin",
      "pin_attempts_exceeded",
    ],
  },
  {
    said: "declines.details",
    reasons: [
      "incorrect_card_details",
      "incorrect_card_expiry_date",
      "incorrect_cardholder_name",
      "incorrect_cvv",
      "card_number_invalid",
    ],
  },
  { said: "declines.expired", reasons: ["card_expired"] },
  {
    said: "declines.blocked",
    reasons: [
      "debit_instrument_blocked",
      "debit_instrument_inactive",
      "card_not_enrolled",
      "card_disabled_for_online_payments",
    ],
  },
  { said: "declines.abroad", reasons: ["international_transaction_not_allowed"] },
  {
    said: "declines.limit",
    reasons: [
      "transaction_limit_exceeded",
      "transaction_daily_limit_exceeded",
      "transaction_daily_count_exceeded",
      "transaction_frequency_limit_exceeded",
    ],
  },
  { said: "declines.cancelled", reasons: ["payment_cancelled"] },
  { said: "declines.late", reasons: ["payment_timed_out", "payment_session_expired"] },
  {
    said: "declines.technical",
    reasons: [
      "bank_technical_error",
      "bank_not_available",
      "bank_cutoff_in_progress",
      "gateway_technical_error",
      "issuer_technical_error",
      "server_error",
    ],
  },
  { said: "declines.risk", reasons: ["payment_risk_check_failed"] },
] as const satisfies readonly { said: PlainMessageKey; reasons: readonly string[] }[];

const saidOf = new Map<string, PlainMessageKey>(
  declines.flatMap(({ said, reasons }) => reasons.map((reason): [string, PlainMessageKey] => [reason, said])),
);

/** Returns the reason why a payment failed; undefined for one that did not. */
export function whyDeclined({
  status,
  errorReason,
  errorDescription,
}: Pick<RazorpayPayment, "status" | "errorReason" | "errorDescription">): MessageDescriptor | undefined {
  if (status !== "failed") return undefined;
  const said = saidOf.get(errorReason ?? "");
  if (said !== undefined) return msg(said);
  const unknown = msg("declines.unknown");
  if (errorDescription === undefined) return unknown;
  const why = perLanguage((language) =>
    language === standardLanguage ? errorDescription : translate(language, unknown),
  );
  return msg("declines.inWords", { why });
}

/** The same texts for a browser, which learns about a failure from checkout.js before the server does. */
export interface DeclineTexts {
  /** Texts, each with the Razorpay reasons that it applies to. */
  known: { said: string; reasons: readonly string[] }[];
  /** Text for any other reason; null where Razorpay's own text is in the reader's language. */
  other: string | null;
}

export function declineTexts(language: LanguageId): DeclineTexts {
  return {
    known: declines.map(({ said, reasons }) => ({ said: translate(language, msg(said)), reasons })),
    other: language === standardLanguage ? null : translate(language, msg("declines.unknown")),
  };
}
