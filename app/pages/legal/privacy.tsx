/** `/privacy`: the personal data that we store, its purposes, its retention, and its recipients. */
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { paymentProviderIds, paymentProviders } from "#server/billing/payments/registry.ts";
import * as paths from "#server/foundation/paths.ts";
import { registerProvider } from "#server/integrations/gst.ts";
import { identityProviders } from "#server/integrations/identity-providers/registry.ts";
import { graceDays } from "#server/privacy/delete.ts";
import { pageLoader } from "../../http/page.ts";
import { factsOf, legalDocument, sellerCards } from "./document.ts";
import { DocumentPage, legalHandle, legalMeta } from "./document-page.tsx";

export const loader = pageLoader(z.unknown(), async (request) => {
  const { text } = request;
  const { store, vendors } = factsOf(request);
  const page = {
    title: text("legal.privacy"),
    description: text("legal.privacyDescription", { store }),
    path: paths.privacy(),
    lead: text("legal.privacyLead"),
    sections: [
      {
        title: text("legal.privacyWhat"),
        paragraphs: [],
        points: [
          text("legal.privacyAccount"),
          text("legal.privacyOrders"),
          text("legal.privacyPayments"),
          text("legal.privacySignIn"),
          text("legal.privacyRecord"),
        ],
      },
      {
        title: text("legal.privacyCookies"),
        paragraphs: [text("legal.privacyCookiesText")],
        points: [
          text("legal.cookieSession"),
          text("legal.cookieDevice"),
          text("legal.cookieDraft"),
          text("legal.cookieLanguage"),
          text("legal.cookieMoments"),
          text("legal.cookieRenamed"),
          text("legal.cookieStorage"),
          text("legal.cookieCheckout"),
        ],
      },
      {
        title: text("legal.privacyOthers"),
        paragraphs: [],
        points: [
          ...paymentProviderIds.map((id) =>
            text("legal.privacyPaying", { provider: paymentProviders[id].name }),
          ),
          ...vendors.map((vendor) => text("legal.privacyVendor", { vendor })),
          text("legal.privacyRegister", { provider: registerProvider }),
          ...[...request.context.identityClients.keys()].map((id) =>
            text("legal.privacyIdentity", { provider: identityProviders[id].name }),
          ),
          text("legal.privacyHosts"),
          text("legal.privacyNobody"),
        ],
      },
      {
        title: text("legal.privacyHowLong"),
        paragraphs: [],
        points: [
          text("legal.keptDrafts"),
          text("legal.keptSignIn"),
          text("legal.keptSessions"),
          text("legal.keptEvents"),
          text("legal.keptOrders"),
        ],
      },
      {
        title: text("legal.privacyRights"),
        paragraphs: [text("legal.privacyRightsText"), text("legal.privacyMyData", { days: graceDays })],
      },
      { title: text("legal.privacySafety"), paragraphs: [text("legal.privacySafetyText")] },
      {
        title: text("legal.privacyWho"),
        paragraphs: [text("legal.privacyWhoText")],
        sellers: sellerCards(request, "contact"),
      },
    ],
  };
  return legalDocument(request, page, paths.myData());
});

export const handle = legalHandle;
export const meta = legalMeta;

export default function Privacy() {
  return <DocumentPage document={useLoaderData<typeof loader>()} />;
}
