/** Buyers' frequent questions with answers (docs/specification.md, section 1), for each service and country. */

import type { Country, FamilyId } from "#db/tables/enums.ts";
import {
  formatPaymentMethods,
  instantMethods,
  instantMethodsIn,
  isMethodEnabled,
} from "#server/catalogue/pricing/payment-methods.ts";
import { countries } from "#server/foundation/countries/registry.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import type { Env } from "#server/platform/env.ts";
import type { PaymentMethod } from "#server/platform/settings/payments.ts";
import { screens } from "../../families/registry.ts";

export interface FaqEntry {
  readonly question: string;
  readonly answer: string;
  /** A link for further reading. */
  readonly link?: { readonly text: string; readonly href: string };
}

export function faqFor(
  env: Pick<Env, "payments">,
  { service, country, language }: { service: FamilyId; country: Country; language: LanguageId },
): FaqEntry[] {
  const { genuine, activation } = screens[service].questions;
  const text = textIn(language);
  return [
    { question: text("home.isGenuine"), answer: text(genuine) },
    { question: text("home.isActivated"), answer: text(activation) },
    {
      question: text("home.howToPay"),
      answer: waysToPay(env, country, language),
      link: { text: text("paying.methodsTitle"), href: paths.paymentMethods() },
    },
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

/** The specification's four methods: which are in the checkout, which need a payment link, and the alternatives. */
function waysToPay(env: Pick<Env, "payments">, country: Country, language: LanguageId): string {
  const text = textIn(language);
  const inCheckout = instantMethodsIn(env, country);
  const others = instantMethods.filter((method) => !inCheckout.includes(method));
  const words = (methods: readonly PaymentMethod[]) => formatPaymentMethods(language, methods);
  return [
    text("home.waysToPay"),
    ...(inCheckout.length > 0 ? [text("home.waysInShop", { methods: words(inCheckout) })] : []),
    ...byLink(),
    ...(isMethodEnabled(env, country, "transfer") ? [text("home.waysByTransfer")] : []),
  ].join(" ");

  function byLink(): string[] {
    const methods = words(others);
    if (isMethodEnabled(env, country, "link"))
      return [others.length > 0 ? text("home.waysByOwnLink", { methods }) : text("home.waysByAnyLink")];
    return others.length > 0 ? [text("home.waysByLink", { methods })] : [];
  }
}
