/** A company's renewal choice as text, for its own page, the subscription and Desk. */
import type { RenewalChoice } from "#db/orders/renewal-choices.ts";
import type { Country } from "#db/tables/enums.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";

/** Formats a renewal choice. @param country of the company; it decides the time zone of the date */
export function renewalChoiceText(
  { decision, seats, chosenAt }: RenewalChoice,
  country: Country,
  language: LanguageId,
): string {
  const text = textIn(language);
  const date = formatDate(chosenAt, country, language);
  if (decision === "stop") return text("renewals.saidStop", { date });
  return seats === null
    ? text("renewals.saidKeep", { date })
    : text("renewals.saidFewer", { licences: text("orders.licences", { count: seats }), date });
}
