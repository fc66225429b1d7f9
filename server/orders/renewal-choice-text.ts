/** What a company has said of a renewal, in words: on the page where it is said, beside the subscription, and at the desk. */
import type { RenewalChoice } from "#db/orders/renewal-choices.ts";
import type { Country } from "#db/tables/enums.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";

/** @param country of the company, in whose zone the date is */
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
