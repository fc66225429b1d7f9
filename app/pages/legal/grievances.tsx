/** `/grievances`: contacts for complaints. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import * as paths from "#server/foundation/paths.ts";
import { pageLoader } from "../../http/page.ts";
import { factsOf, legalDocument, sellerCards } from "./document.ts";
import { DocumentPage, legalHandle, legalMeta } from "./document-page.tsx";

export const loader = pageLoader(z.unknown(), async (request) => {
  const { text } = request;
  const { store } = factsOf(request);
  return legalDocument(request, {
    title: text("legal.grievances"),
    description: text("legal.grievancesDescription", { store }),
    path: paths.grievances(),
    lead: text("legal.grievancesLead"),
    sections: [
      { title: text("legal.grievancesWho"), paragraphs: [], sellers: sellerCards(request, "contact") },
      { title: text("legal.grievancesHow"), paragraphs: [text("legal.grievancesHowText")] },
      { title: text("legal.grievancesWhen"), paragraphs: [text("legal.grievancesWhenText")] },
    ],
  });
});

export const handle = legalHandle;
export const meta = legalMeta;

export default function Grievances() {
  return <DocumentPage document={useLoaderData<typeof loader>()} />;
}
