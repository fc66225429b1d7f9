/** `/terms`: the terms of sale. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { families, familyIds } from "#server/catalogue/families/registry.ts";
import { countries, countryCodes } from "#server/foundation/countries/registry.ts";
import { translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { screens } from "../../families/registry.ts";
import { pageLoader } from "../../http/page.ts";
import { factsOf, legalDocument, sellerCards } from "./document.ts";
import { DocumentPage, legalHandle, legalMeta } from "./document-page.tsx";

export const loader = pageLoader(z.unknown(), async (request) => {
  const { text, language } = request;
  const { store, products } = factsOf(request);
  const page = {
    title: text("legal.terms"),
    description: text("legal.termsDescription", { store, products }),
    path: paths.terms(),
    lead: text("legal.termsLead"),
    sections: [
      {
        title: text("legal.termsWho"),
        paragraphs: [text("legal.termsWhoText")],
        points: countryCodes.map((code) => countries[code].words[language].whoMayBuy),
        sellers: sellerCards(request, "who"),
      },
      { title: text("legal.termsPrices"), paragraphs: [text("legal.termsPricesText")] },
      { title: text("legal.termsOrder"), paragraphs: [text("legal.termsOrderText")] },
      ...familyIds.map((id) => {
        const { name, agreement } = families[id];
        return {
          title: name,
          paragraphs: [text("legal.termsAccepted", { family: name })],
          points: [
            ...screens[id].terms.map((term) => translate(language, term)),
            ...(agreement === null ? [] : [text("legal.termsAgreement", { agreement: agreement.name })]),
          ],
        };
      }),
      { title: text("legal.termsDelivery"), paragraphs: [text("legal.termsDeliveryText")] },
      { title: text("legal.termsMore"), paragraphs: [text("legal.termsMoreText")] },
      { title: text("legal.termsRenewal"), paragraphs: [text("legal.termsRenewalText")] },
      { title: text("legal.termsRefunds"), paragraphs: [text("legal.termsRefundsText")] },
      { title: text("legal.termsInvoice"), paragraphs: [text("legal.termsInvoiceText")] },
    ],
  };
  return legalDocument(request, page, paths.refunds());
});

export const handle = legalHandle;
export const meta = legalMeta;

export default function Terms() {
  return <DocumentPage document={useLoaderData<typeof loader>()} />;
}
