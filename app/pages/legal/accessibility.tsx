/** `/accessibility`: the accessibility standard of the pages, its known exceptions, and the contact for help. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { brand } from "#server/foundation/brand.ts";
import * as paths from "#server/foundation/paths.ts";
import { pageLoader } from "../../http/page.ts";
import { factsOf, legalDocument } from "./document.ts";
import { DocumentPage, legalHandle, legalMeta } from "./document-page.tsx";

export const loader = pageLoader(z.unknown(), async (request) => {
  const { text } = request;
  const { store, vendorsInSentence: vendors } = factsOf(request);
  const page = {
    title: text("legal.accessibility"),
    description: text("legal.accessibilityDescription", { store }),
    path: paths.accessibility(),
    lead: text("legal.accessibilityLead", { store }),
    sections: [
      {
        title: text("legal.accessibilityStandard"),
        paragraphs: [text("legal.accessibilityStandardText")],
      },
      {
        title: text("legal.accessibilityChecks"),
        paragraphs: [text("legal.accessibilityChecksText")],
        points: [
          text("legal.accessibilityAxe"),
          text("legal.accessibilityKeyboard"),
          text("legal.accessibilityZoom"),
        ],
      },
      {
        title: text("legal.accessibilityGaps"),
        paragraphs: [],
        points: [
          text("legal.accessibilityPdf"),
          text("legal.accessibilityCheckout"),
          text("legal.accessibilityVendors", { vendors }),
        ],
      },
      {
        title: text("legal.accessibilityHelp"),
        paragraphs: [text("legal.accessibilityHelpText", { mail: brand.supportEmail })],
      },
    ],
  };
  return legalDocument(request, page, paths.grievances());
});

export const handle = legalHandle;
export const meta = legalMeta;

export default function Accessibility() {
  return <DocumentPage document={useLoaderData<typeof loader>()} />;
}
