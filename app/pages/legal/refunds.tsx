/** `/refunds`: what can be cancelled or reduced, and how refunds are paid. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { paymentProviderIds, paymentProviders } from "#server/billing/payments/registry.ts";
import { families, familyIds } from "#server/catalogue/families/registry.ts";
import { brand } from "#server/foundation/brand.ts";
import { languages } from "#server/foundation/languages/language.ts";
import { translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { screens } from "../../families/registry.ts";
import { pageLoader } from "../../http/page.ts";
import { factsOf, legalDocument } from "./document.ts";
import { DocumentPage, legalHandle, legalMeta } from "./document-page.tsx";

export const loader = pageLoader(z.unknown(), async (request) => {
  const { text, language } = request;
  const { store } = factsOf(request);
  const list = new Intl.ListFormat(languages[language].locale);
  const provider = list.format(paymentProviderIds.map((id) => paymentProviders[id].name));
  return legalDocument(request, {
    title: text("legal.refunds"),
    description: text("legal.refundsDescription", { store }),
    path: paths.refunds(),
    lead: text("legal.refundsLead"),
    sections: [
      { title: text("legal.refundsRules"), paragraphs: [text("legal.refundsRulesText")] },
      ...familyIds.map((id) => ({
        title: families[id].name,
        paragraphs: [],
        points: screens[id].terms.map((term) => translate(language, term)),
      })),
      {
        title: text("legal.refundsHow"),
        paragraphs: [text("legal.refundsHowText", { mail: brand.supportEmail })],
      },
      {
        title: text("legal.refundsAlone"),
        paragraphs: [text("legal.refundsTaken"), text("legal.refundsTwice")],
      },
      { title: text("legal.refundsWay"), paragraphs: [text("legal.refundsWayText", { provider })] },
      { title: text("legal.refundsEnd"), paragraphs: [text("legal.refundsEndText")] },
    ],
  });
});

export const handle = legalHandle;
export const meta = legalMeta;

export default function Refunds() {
  return <DocumentPage document={useLoaderData<typeof loader>()} />;
}
