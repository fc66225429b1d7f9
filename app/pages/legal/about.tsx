/** `/about`: the store's business, and its seller in each country. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { brand } from "#server/foundation/brand.ts";
import * as paths from "#server/foundation/paths.ts";
import { pageLoader } from "../../http/page.ts";
import { factsOf, legalDocument, sellerCards } from "./document.ts";
import { DocumentPage, legalHandle, legalMeta } from "./document-page.tsx";

export const loader = pageLoader(z.unknown(), async (request) => {
  const { text } = request;
  const { store, products, countries, vendorsInSentence: vendors } = factsOf(request);
  return legalDocument(request, {
    title: text("legal.about"),
    description: text("legal.aboutDescription", { store }),
    path: paths.about(),
    lead: text("legal.aboutLead", { store, products, countries }),
    sections: [
      {
        title: text("legal.aboutWhat"),
        paragraphs: [text("legal.aboutSell"), text("legal.aboutAfter"), text("legal.aboutOwn", { vendors })],
      },
      { title: text("legal.aboutSellers"), paragraphs: [], sellers: sellerCards(request, "who") },
      {
        title: text("legal.aboutContact"),
        paragraphs: [text("legal.aboutReach", { mail: brand.supportEmail })],
      },
    ],
  });
});

export const handle = legalHandle;
export const meta = legalMeta;

export default function About() {
  return <DocumentPage document={useLoaderData<typeof loader>()} />;
}
