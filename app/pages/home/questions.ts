/** Buyers' frequent questions with answers (docs/specification.md, section 1), for each service and country. */

import type { Country, FamilyId } from "#db/tables/enums.ts";
import { countries } from "#server/countries/country.ts";
import type { LanguageId } from "#server/languages/language.ts";
import { textIn } from "#server/languages/text.ts";
import * as paths from "#server/paths.ts";
import { screens } from "../../families/family.ts";

export interface Question {
  readonly question: string;
  readonly answer: string;
  /** A link for further reading. */
  readonly link?: { readonly text: string; readonly href: string };
}

export function questionsOn(service: FamilyId, country: Country, language: LanguageId): Question[] {
  const { genuine, activation } = screens[service].questions;
  const text = textIn(language);
  return [
    { question: text("home.isGenuine"), answer: text(genuine) },
    { question: text("home.isActivated"), answer: text(activation) },
    { question: text("home.howToPay"), answer: text("home.waysToPay") },
    {
      question: text("home.whenToRenew"),
      answer: text("home.renewWhen"),
      link: { text: text("home.openSubscriptions"), href: paths.subscriptions() },
    },
    {
      question: text("home.whoCanBuy"),
      answer: countries[country].words[language].whoMayBuy,
      link: { text: text("home.changeCountry"), href: paths.country() },
    },
  ];
}
