/**
 * Looks a GSTIN up in the tax register (Cashfree's verification API), so that an invoice has the registered name and address. The
 * tax module checks the number's format and check digit.
 */
import { constants, publicEncrypt } from "node:crypto";
import { z } from "zod";
import { headerLine } from "#server/foundation/single-line.ts";
import { baseOf, errorOf, type OnCall, type ProviderResponse, parseResponse, send } from "./http.ts";

/** Name of the register's provider, as shown to buyers. */
export const registerProvider = "Cashfree";

export interface GstConfig {
  /** `https://api.cashfree.com`, or a compatible server. */
  apiUrl: string;
  clientId: string;
  clientSecret: string;
  /** Public key in PEM that signs calls, so that they may come from any address. Null if our addresses are registered. */
  publicKey: string | null;
  timeoutMs: number;
  onCall?: OnCall | undefined;
}

export interface GstRegistration {
  found: true;
  gstin: string;
  legalName: string;
  /** Trade name of the business, in most entries the legal name again; empty when the register has none. */
  tradeName: string;
  /** Registered status: "Active", "Cancelled", "Suspended". Only an active one may be invoiced. */
  status: string;
  /** "Regular", "SEZ Unit": in the register's terms; empty when it has none. */
  taxpayerType: string;
  /** Address parts that the register omits are empty strings. */
  buildingName: string;
  floorNumber: string;
  street: string;
  buildingNumber: string;
  city: string;
  stateName: string;
  pincode: string;
}

export type GstLookup = GstRegistration | { found: false };

export interface Gst {
  lookUp(gstin: string): Promise<GstLookup>;
}

const part = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .transform((value) => headerLine(value ?? ""));

const reply = z.object({
  valid: z.boolean().nullish(),
  legal_name_of_business: z.string().overwrite(headerLine).nullish(),
  trade_name_of_business: part,
  gst_in_status: z.string().nullish(),
  taxpayer_type: z.string().nullish(),
  principal_place_split_address: z
    .object({
      building_name: part,
      flat_number: part,
      street: part,
      building_number: part,
      city: part,
      state: part,
      pincode: part,
    })
    .nullish(),
});

export function createGst(config: GstConfig): Gst {
  return {
    /**
     * Returns the register's entry for `gstin`, in any status.
     * @throws ProviderError
     */
    async lookUp(gstin) {
      const answer = await send({
        provider: "gst",
        method: "POST",
        url: `${baseOf(config.apiUrl)}/verification/gstin`,
        headers: {
          "x-client-id": config.clientId,
          "x-client-secret": config.clientSecret,
          ...(config.publicKey !== null && {
            "x-cf-signature": signatureOf(config.clientId, config.publicKey, new Date()),
          }),
        },
        json: { GSTIN: gstin },
        secrets: [config.clientSecret],
        timeoutMs: config.timeoutMs,
        onCall: config.onCall,
      });
      if (isUnknownNumber(answer)) return { found: false };
      const found = parseResponse(answer, reply);
      // For an unassigned number the register responds with 200 and no name.
      if (found.valid === false || !found.legal_name_of_business) return { found: false };
      const address = found.principal_place_split_address;
      return {
        found: true,
        gstin,
        legalName: found.legal_name_of_business,
        tradeName: found.trade_name_of_business,
        status: found.gst_in_status ?? "",
        taxpayerType: found.taxpayer_type ?? "",
        buildingName: address?.building_name ?? "",
        floorNumber: address?.flat_number ?? "",
        street: address?.street ?? "",
        buildingNumber: address?.building_number ?? "",
        city: address?.city ?? "",
        stateName: address?.state ?? "",
        pincode: address?.pincode ?? "",
      };
    },
  };
}

/**
 * Returns the client id and the time, encrypted for Cashfree, which accepts it for a few minutes (docs/providers.md, section 4).
 * @throws Error for an invalid key, which readEnv has refused
 */
export function signatureOf(clientId: string, publicKey: string, at: Date): string {
  const plain = `${clientId}.${Math.floor(at.getTime() / 1000)}`;
  const key = { key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING };
  return publicEncrypt(key, Buffer.from(plain)).toString("base64");
}

/**
 * Whether an error response means "no such number". The format is not documented. Seen so far: a 404, and a 400 or 422 whose code
 * or text refers to the number itself. Any other response (bad credentials, no balance) remains an error.
 */
function isUnknownNumber(answer: ProviderResponse): boolean {
  if (answer.status === 404) return true;
  if (answer.status !== 400 && answer.status !== 422) return false;
  const { code, description } = errorOf(answer);
  return (
    /gstin.*(invalid|not_found)/i.test(code ?? "") ||
    /gstin.*(n.t exist|not found|invalid)/i.test(description ?? "")
  );
}
