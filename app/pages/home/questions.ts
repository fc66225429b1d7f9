/** Buyers' frequent questions with answers (docs/specification.md, section 1), for each service and country. */

import type { Country, FamilyId } from "#db/tables/enums.ts";
import { countries } from "#server/countries/country.ts";
import * as paths from "#server/paths.ts";
import { screens } from "../../families/family.ts";

export interface Question {
  readonly question: string;
  readonly answer: string;
  /** A link for further reading. */
  readonly link?: { readonly text: string; readonly href: string };
}

export function questionsOn(service: FamilyId, country: Country): Question[] {
  const { genuine, activation } = screens[service].questions;
  return [
    { question: "Are the licences genuine?", answer: genuine },
    { question: "How is my subscription activated?", answer: activation },
    {
      question: "How can I pay?",
      answer:
        "With cards, net banking, UPI and wallets. An order in this shop is paid by card, on Razorpay's secure page; for the others, ask us and we send you a payment link.",
    },
    {
      question: "When can I renew?",
      answer: "From 30 days before a subscription expires, on the Subscriptions page.",
      link: { text: "Open Subscriptions", href: paths.subscriptions() },
    },
    {
      question: "Who can buy here?",
      answer: countries[country].words.whoMayBuy,
      link: { text: "Change the country", href: paths.country() },
    },
  ];
}
