/** The questions buyers ask, and their answers (docs/specification.md, section 1), for each service and country. */

import type { Country, FamilyId } from "#db/tables/enums.ts";
import { countries } from "#server/countries/country.ts";
import * as paths from "#server/paths.ts";

export interface Question {
  readonly question: string;
  readonly answer: string;
  /** Where the answer leads. */
  readonly link?: { readonly text: string; readonly href: string };
}

const genuine: Record<FamilyId, string> = {
  microsoft:
    "Yes. Every licence is genuine, comes from Microsoft through its partner, and is registered to your company.",
  google:
    "Yes. Every licence is genuine, comes from Google through its partner, and belongs to your company's own domain.",
  brio: "Yes. brio is our own: you buy from the people who make it and run it.",
};

const activation: Record<FamilyId, string> = {
  microsoft:
    "Activation is automatic after the purchase. You say which Microsoft account it is for, new or your own, and the licences appear there.",
  google:
    "Activation is automatic too. After the payment you choose the administrator of your domain, or enter a transfer token if Google knows the domain already, and the licences are set up.",
  brio: "Activation is automatic after the purchase. The details with which your team signs in are mailed to you.",
};

export function questionsOn(service: FamilyId, country: Country): Question[] {
  return [
    { question: "Are the licences genuine?", answer: genuine[service] },
    { question: "How is my subscription activated?", answer: activation[service] },
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
