/** The Microsoft Customer Agreement, which a customer accepts before the first order. */
import { type HttpHandler, HttpResponse, http } from "msw";
import { z } from "zod";
import { html, page } from "../html.ts";
import { anyOrigin, guidOf, type JsonObject } from "../http-helpers.ts";
import type { Sandbox } from "../sandbox.ts";
import type { Agreement } from "../state-schemas.ts";
import { base, customerOf, list, PartnerError, parse, read, text, write } from "./calls.ts";

const agreementType = "MicrosoftCustomerAgreement";
const agreementLink = "https://aka.ms/customeragreement";
const firstTemplate = "117a77b0-9360-443b-8795-c6dedc750cf9";

/** All versions published so far, oldest first. */
function templates(sandbox: Sandbox) {
  return Array.from({ length: sandbox.partnerMode.agreementVersions }, (_, versionRank) => ({
    templateId: versionRank === 0 ? firstTemplate : guidOf(`customer agreement ${versionRank}`),
    agreementType,
    agreementLink,
    versionRank,
  }));
}

/** The languages in which the document is published, by country. */
const languages: Readonly<Record<string, readonly string[]>> = { IN: ["en-US", "hi-IN"], US: ["en-US"] };
const documentPath = "/partner-center/agreement-documents";
const documentMs = 5 * 60_000;

const newAgreement = z.object({
  primaryContact: z.object({
    firstName: text,
    lastName: text,
    email: z.email(),
    phoneNumber: z.string().nullish(),
  }),
  templateId: text,
  dateAgreed: z.string().refine((date) => !Number.isNaN(Date.parse(date)), "is no date"),
  type: z.literal(agreementType),
});

export function partnerAgreementHandlers(sandbox: Sandbox): HttpHandler[] {
  return [
    http.get(
      anyOrigin(`${base}/agreements`),
      read(sandbox, ({ query }) => {
        const requested = query.get("agreementType");
        const known = requested === null || requested === "*" || requested === agreementType;
        return { status: 200, body: list(known ? templates(sandbox) : []) };
      }),
    ),
    http.get(
      anyOrigin(`${base}/agreementtemplates/:templateId/document`),
      read(sandbox, (call) => {
        const { templateId } = templateOf(sandbox, call.param("templateId"));
        const [language = "", country = ""] = [call.query.get("language"), call.query.get("country")];
        if (!languages[country ?? ""]?.includes(language ?? ""))
          throw new PartnerError(400, 2000, "The agreement is not published in this language and country.");
        const until = sandbox.now() + documentMs;
        const displayUri = `${call.origin}${documentPath}/${templateId}?country=${country}&until=${until}`;
        return { status: 200, body: { downloadUri: `${displayUri}&download=true`, displayUri } };
      }),
    ),
    http.get(anyOrigin(`${documentPath}/:templateId`), ({ request, params }) => {
      const query = new URL(request.url).searchParams;
      if (Number(query.get("until")) < sandbox.now())
        return new HttpResponse("This link has expired.", { status: 403 });
      return HttpResponse.html(
        page({
          title: "Microsoft Customer Agreement (sandbox)",
          body: html`<h1>Microsoft Customer Agreement</h1>
<p class="note">Sandbox: not an agreement. Version ${String(params.templateId)}, for ${query.get("country") ?? ""}.</p>`,
        }),
      );
    }),
    http.get(
      anyOrigin(`${base}/customers/:customerId/agreements`),
      read(sandbox, (call) => {
        const { id } = customerOf(sandbox, call);
        return {
          status: 200,
          body: list(
            sandbox.state.partner.agreements.filter((each) => each.customerId === id).map(agreementBody),
          ),
        };
      }),
    ),
    http.post(
      anyOrigin(`${base}/customers/:customerId/agreements`),
      write(sandbox, "agreement.create", (call) => {
        const { id } = customerOf(sandbox, call);
        const given = parse(newAgreement, call.body);
        const { templateId } = templateOf(sandbox, given.templateId);
        const { agreements } = sandbox.state.partner;
        if (agreements.some((each) => each.customerId === id && each.templateId === templateId)) {
          throw new PartnerError(400, 600061, "The customer has already accepted this agreement.");
        }
        const agreement = { ...given, customerId: id };
        agreements.push(agreement);
        return { status: 201, body: agreementBody(agreement) };
      }),
    ),
  ];
}

/** @throws PartnerError for a version that was never published */
function templateOf(sandbox: Sandbox, id: string) {
  const template = templates(sandbox).find(({ templateId }) => templateId === id.toLowerCase());
  if (template === undefined) throw new PartnerError(404, 2000, "The agreement template was not found.");
  return template;
}

export function hasAgreement(sandbox: Sandbox, customerId: string): boolean {
  return sandbox.state.partner.agreements.some((each) => each.customerId === customerId);
}

function agreementBody({ customerId: _customer, ...agreement }: Agreement): JsonObject {
  return { ...agreement, agreementLink };
}
