/** The words of an order and of My Orders. */
export const orders = {
  licences: "{count, plural, one {{count} licence} other {{count} licences}}",
  daysOf: "{left} of {all} days",
  daysWithNext: "{left} days, with the whole next term",
  accountMoved: "Your {family} account and its plans are with us now. Sign in as you always do.",
  acceptTerms:
    "Sign in to the {family} admin console, {place}, as a super administrator and accept {family}'s terms of service. Until then {family} suspends the subscription, while its term runs on.",
  verifyDomain:
    "Then verify there that the domain is yours. Until then {family} neither sends nor receives your email.",
} as const;
