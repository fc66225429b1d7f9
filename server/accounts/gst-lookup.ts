/** Looks up a company by its GSTIN. Only a well-formed, active registration fills an address. */
import {
  type RegisteredTaxpayer,
  readRegistration,
  saveRegistration,
} from "#db/accounts/gst-registrations.ts";
import type { Db } from "#db/tables/index.ts";
import { gstinProblem, parseGstin } from "#server/foundation/countries/gstin.ts";
import { findIndianState } from "#server/foundation/countries/indian-states.ts";
import { DomainError, wrongField } from "#server/foundation/errors.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import { networkOf } from "#server/foundation/security/network.ts";
import { consumeRateLimit } from "#server/foundation/security/rate-limit.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import type { GstRegistration } from "#server/integrations/gst.ts";
import type { Context } from "#server/platform/context.ts";
import type { Env } from "#server/platform/env.ts";

export interface GstAddress {
  gstin: string;
  legalName: string;
  addressLine1: string;
  addressLine2: string;
  city: string;
  state: string;
  pincode: string;
}

/** Time for which a response of the register is cached. */
const freshMs = 7 * 24 * 60 * 60 * 1_000;

const refusal = (message: MessageDescriptor) => wrongField("gstin", message);

/**
 * @param text the input
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
    state: found.stateName,
    pincode: found.pincode,
  };
}

/**
 * Returns the fields of an active registration, as the register reports them; the state comes from the number itself, however the
 * register spells it.
 * @param text the input
 * @throws DomainError bad_request with the field when it is malformed, unknown or not active; rate_limited; provider_unavailable
 */
export async function findRegistration(
  context: Context,
  text: string,
  clientAddress: string,
): Promise<GstRegistration> {
  const gstin = parseGstin(text);
  if (gstin === null) throw refusal(msg("fields.gstNumberProblem", { problem: gstinProblem(text) ?? "" }));
  if (isSellersNumber(context.env.sellers, gstin.value)) throw refusal(msg("fields.ownGstin"));
  await consumeRateLimit(context.db, {
    name: "gst-look-up",
    key: networkOf(clientAddress),
    limit: 30,
    windowSeconds: 600,
  });
  const found = await context.gst.lookUp(gstin.value).catch((error: unknown) => {
    if (!(error instanceof ProviderError)) throw error;
    context.log.warn({ err: error }, "the GST register did not answer");
    throw new DomainError("provider_unavailable", msg("gst.unavailable", { status: error.status ?? 503 }));
  });
  if (!found.found) throw refusal(msg("gst.notFound"));
  await saveRegistration(context.db, found, new Date());
  if (found.status !== "Active") {
    throw refusal(msg("gst.notActive", { status: found.status.toLowerCase() }));
  }
  const state = gstin.state ?? findIndianState(found.stateName);
  return { ...found, stateName: state?.name ?? "" };
}

/** Whether a text is the GSTIN of one of our sellers; a seller cannot invoice itself. */
export function isSellersNumber(sellers: Env["sellers"], text: string | null | undefined): boolean {
  const value = parseGstin(text ?? "")?.value;
  return (
    value !== undefined && [...sellers.values()].some(({ gstin }) => parseGstin(gstin ?? "")?.value === value)
  );
}

/**
 * Queries the register about the buyer's GSTIN. An order's tax depends on the response, but no order waits for it: a register
 * that does not respond, and a requester over the rate limit, change nothing.
 */
export async function queryGstRegister(
  context: Context,
  {
    gst_code,
    organisationRegistrationNumber,
  }: { gst_code: string | null; organisationRegistrationNumber: string },
  clientAddress: string,
): Promise<void> {
  const gstin = parseGstin(gst_code ?? organisationRegistrationNumber)?.value ?? null;
  if (gstin === null) return;
  const known = await readRegistration(context.db, gstin);
  if (known !== null && Date.now() - known.seenAt.getTime() < freshMs) return;
  try {
    await findRegistration(context, gstin, clientAddress);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
}

/**
 * Rejects a GSTIN that the register does not know, or that is not active there; accepts any while the register does not respond.
 * @throws DomainError bad_request, on the field `gst_code`; rate_limited
 */
export async function requireActiveGstin(
  context: Context,
  gstin: string,
  clientAddress: string,
): Promise<void> {
  try {
    await findRegistration(context, gstin, clientAddress);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const problem = error.fields?.gstin;
    if (problem !== undefined) throw wrongField("gst_code", problem);
    if (error.code !== "provider_unavailable") throw error;
  }
}

/** Returns the register's last details of a GSTIN; null if it was never queried, or had none. */
export async function findRegisteredDetails(
  db: Db,
  gstin: string,
): Promise<{ legalName: string; status: string } | null> {
  return readRegistration(db, gstin);
}

/** Returns a warning about a GSTIN for the buyer before it is on an invoice; null when there is none. */
export async function gstinWarning(
  db: Db,
  { gstin, companyName }: { gstin: string; companyName: string },
): Promise<MessageDescriptor | null> {
  const found = await readRegistration(db, gstin);
  if (found === null) return null;
  if (found.status !== "Active") return msg("gst.doubtfulStatus", { status: found.status.toLowerCase() });
  return isSameName(found.legalName, companyName) || isTradeName(found, companyName)
    ? null
    : msg("gst.doubtfulName", { registered: found.legalName });
}

/** Returns a taxpayer's trade name; null unless it differs from the legal name. */
export async function findTradeName(db: Db, gstin: string): Promise<string | null> {
  const found = await readRegistration(db, gstin);
  return found === null || found.tradeName === "" || isTradeName(found, found.legalName)
    ? null
    : found.tradeName;
}

const isTradeName = ({ tradeName }: RegisteredTaxpayer, name: string) =>
  tradeName !== "" && isSameName(tradeName, name);

/** Compares company names, which are written in many ways: with and without their legal form, in capitals, shortened. */
function isSameName(one: string, other: string): boolean {
  const [a, b] = [coreOf(one), coreOf(other)];
  return a === b || a.startsWith(b) || b.startsWith(a);
}

function coreOf(name: string): string {
  return name
    .toUpperCase()
    .replaceAll(/\b(PRIVATE|PVT|LIMITED|LTD|LLP|INCORPORATED|INC|THE|AND|M\/S)\b/g, "")
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}
