/** The Microsoft Customer Agreement, which a customer accepts before anything is ordered for it. */
import { type HttpHandler, http } from "msw";
import { z } from "zod";
import type { Sandbox } from "../sandbox.ts";
import type { Agreement } from "../state.ts";
import { at, type JsonObject } from "../wire.ts";
import { base, customerOf, list, PartnerError, parse, read, text, write } from "./calls.ts";

const agreementTemplate = {
  templateId: "117a77b0-9360-443b-8795-c6dedc750cf9",
  agreementType: "MicrosoftCustomerAgreement",
  agreementLink: "https://aka.ms/customeragreement",
  versionRank: 0,
} as const;

const newAgreement = z.object({
  primaryContact: z.object({
    firstName: text,
    lastName: text,
    email: z.email(),
    phoneNumber: z.string().nullish(),
  }),
  templateId: z.literal(agreementTemplate.templateId),
  dateAgreed: z.string().refine((date) => !Number.isNaN(Date.parse(date)), "is no date"),
  type: z.literal(agreementTemplate.agreementType),
});

export function partnerAgreementHandlers(sandbox: Sandbox): HttpHandler[] {
  return [
    http.get(
      at(`${base}/agreements`),
      read(sandbox, ({ query }) => {
        const asked = query.get("agreementType");
        const known = asked === null || asked === "*" || asked === agreementTemplate.agreementType;
        return { status: 200, body: list(known ? [agreementTemplate] : []) };
      }),
    ),
    http.get(
      at(`${base}/customers/:customerId/agreements`),
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
      at(`${base}/customers/:customerId/agreements`),
      write(sandbox, "agreement.create", (call) => {
        const { id } = customerOf(sandbox, call);
        const given = parse(newAgreement, call.body);
        if (hasAgreement(sandbox, id)) {
          throw new PartnerError(409, 600061, "The customer has already accepted this agreement.");
        }
        const agreement = { ...given, customerId: id };
        sandbox.state.partner.agreements.push(agreement);
        return { status: 201, body: agreementBody(agreement) };
      }),
    ),
  ];
}

export function hasAgreement(sandbox: Sandbox, customerId: string): boolean {
  return sandbox.state.partner.agreements.some((each) => each.customerId === customerId);
}

function agreementBody({ customerId: _customer, ...agreement }: Agreement): JsonObject {
  return { ...agreement, agreementLink: agreementTemplate.agreementLink };
}
