/** Looks up a company by its GSTIN. Only a well-formed, active registration fills an address. */
import type { Context } from "#server/context.ts";
import { gstinProblem, parseGstin } from "#server/countries/gstin.ts";
import { findIndianState } from "#server/countries/indian-states.ts";
import { DomainError } from "#server/errors.ts";
import { ProviderError } from "#server/providers/errors.ts";
import type { GstRegistration } from "#server/providers/gst.ts";
import { networkOf } from "#server/security/network.ts";
import { consumeRateLimit } from "#server/security/rate-limit.ts";

export interface GstAddress {
  gstin: string;
  legalName: string;
  addressLine1: string;
  addressLine2: string;
  city: string;
  state: string;
  pincode: string;
}

const refusal = (message: string) => new DomainError("bad_request", message, { fields: { gstin: message } });

/**
 * @param text as typed
 * @throws as findRegistration
 */
export async function lookUpGstin(
  context: Context,
  text: string,
  clientAddress: string,
): Promise<GstAddress> {
  const found = await findRegistration(context, text, clientAddress);
  const join = (...parts: string[]) => parts.filter((part) => part !== "").join(", ");
  const first = join(found.buildingName, found.floorNumber, found.buildingNumber);
  return {
    gstin: found.gstin,
    legalName: found.legalName,
    addressLine1: first === "" ? found.street : first,
    addressLine2: first === "" ? found.city : found.street || found.city,
    city: found.city,
    state: findIndianState(found.stateName)?.name ?? found.stateName,
    pincode: found.pincode,
  };
}

/**
 * The fields of an active registration, as the register returns them.
 * @param text as typed
 * @throws DomainError bad_request with the field when it is malformed, unknown or not active; rate_limited;
 * provider_unavailable
 */
export async function findRegistration(
  context: Context,
  text: string,
  clientAddress: string,
): Promise<GstRegistration> {
  const gstin = parseGstin(text);
  if (gstin === null) throw refusal(`Please enter a valid GST number. ${gstinProblem(text)}`);
  await consumeRateLimit(context.db, {
    name: "gst-look-up",
    key: networkOf(clientAddress),
    limit: 30,
    windowSeconds: 600,
  });
  const found = await context.gst.lookUp(gstin.value).catch((error: unknown) => {
    if (!(error instanceof ProviderError)) throw error;
    context.log.warn({ err: error }, "the GST register did not answer");
    throw new DomainError(
      "provider_unavailable",
      `HTTP error! status: ${error.status ?? 503}. The GST register does not answer; you can add the details manually.`,
    );
  });
  if (!found.found)
    throw refusal("This GST number was not found. Please check it, or add the details manually.");
  if (found.status !== "Active") {
    throw refusal(`This GST registration is ${found.status.toLowerCase()}. Only an active one can be used.`);
  }
  return found;
}
