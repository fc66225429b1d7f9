/** Microsoft's requirements for a customer's address: a country's rules, and the check of one address. Both change nothing. */
import { z } from "zod";
import { parseResponse, pathOf } from "../http.ts";
import type { Api } from "./api.ts";

export interface CountryRules {
  /** Codes or names; empty when any state is accepted. */
  states: readonly string[];
  postalCode: RegExp | null;
  phoneNumber: RegExp | null;
  takesRegistrationNumber: boolean;
}

export interface PartnerAddress {
  addressLine1: string;
  addressLine2?: string | undefined;
  city: string;
  /** The state's code. */
  state: string;
  postalCode: string;
  /** ISO 3166 two-letter code. */
  country: string;
}

export interface AddressValidation {
  /** "unsure": Microsoft suggests another form, as in `suggestions`. "unchecked": it could not tell. */
  status: "verified" | "unsure" | "unknown" | "unchecked";
  suggestions: Omit<PartnerAddress, "country">[];
  /** Fields of an unknown address that Microsoft names, such as "PostalCode"; empty when it names none. */
  wrongFields: string[];
}

export interface ValidationCalls {
  countryRules(country: string): Promise<CountryRules>;
  checkAddress(address: PartnerAddress): Promise<AddressValidation>;
}

/** Ignores an empty pattern, and one that JavaScript does not support. */
const pattern = z
  .string()
  .nullish()
  .transform((source) => {
    if (!source) return null;
    try {
      return new RegExp(source);
    } catch {
      return null;
    }
  });

const rulesReply = z
  .object({
    isStateRequired: z.boolean().nullish(),
    states: z.object({ value: z.array(z.string()).nullish() }).nullish(),
    postalCodeRegex: pattern,
    phoneNumberRegex: pattern,
    isRegistrationNumberSupported: z.boolean().nullish(),
  })
  .transform(
    (wire): CountryRules => ({
      states: wire.isStateRequired === true ? (wire.states?.value ?? []) : [],
      postalCode: wire.postalCodeRegex,
      phoneNumber: wire.phoneNumberRegex,
      takesRegistrationNumber: wire.isRegistrationNumberSupported === true,
    }),
  );

const addressReply = z.object({
  status: z.string(),
  suggestedAddresses: z
    .array(
      z.object({
        addressLine1: z.string(),
        addressLine2: z.string().nullish(),
        city: z.string(),
        state: z.string(),
        postalCode: z.string(),
      }),
    )
    .nullish(),
  validationMessage: z.string().nullish(),
});

const statuses: ReadonlyMap<string, AddressValidation["status"]> = new Map([
  ["verifiedshippable", "verified"],
  ["verified", "verified"],
  ["interactionrequired", "unsure"],
  ["streetpartial", "unsure"],
  ["premisespartial", "unsure"],
  ["multiple", "unsure"],
  ["none", "unknown"],
]);

const maxSuggestions = 3;

export function validationCalls(api: Api): ValidationCalls {
  return {
    /** `GET /v1/countryvalidationrules/{iso2}`. @throws ProviderError */
    async countryRules(country) {
      const path = pathOf`/v1/countryvalidationrules/${country}`;
      return parseResponse(await api({ method: "GET", path }), rulesReply);
    },

    /**
     * `POST /v1/validations/address`. Its body is the only one that Microsoft documents in capitals.
     * @throws ProviderError
     */
    async checkAddress({ addressLine1, addressLine2, city, state, postalCode, country }) {
      const answer = await api({
        method: "POST",
        path: "/v1/validations/address",
        json: {
          AddressLine1: addressLine1,
          AddressLine2: addressLine2,
          City: city,
          State: state,
          PostalCode: postalCode,
          Country: country,
        },
      });
      const { status, suggestedAddresses, validationMessage } = parseResponse(answer, addressReply);
      return {
        // Not every status has been seen in a real response.
        status: statuses.get(status.replace(/[\s_]/g, "").toLowerCase()) ?? "unchecked",
        suggestions: (suggestedAddresses ?? [])
          .slice(0, maxSuggestions)
          .map((found) => ({ ...found, addressLine2: found.addressLine2 ?? undefined })),
        wrongFields: [...(validationMessage ?? "").matchAll(/'(\w+)'/g)].map(([, name = ""]) => name),
      };
    },
  };
}
