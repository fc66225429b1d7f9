import type { Context } from "#server/context.ts";
import { DomainError } from "#server/errors.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { networkOf } from "#server/security/network.ts";
import { consumeRateLimit } from "#server/security/rate-limit.ts";
import type { OrderedDomain } from "../family.ts";

/** 0 = available, 1 = not available, 2 = transfer possible, as GET /google/signup answers. */
export type DomainStatus = 0 | 1 | 2;

const notAvailable = "This domain is not available for signup. Please choose a different domain.";
const notChecked = "an error occurred while validating the domain";

/** @throws DomainError rate_limited; ProviderError when Google does not answer */
export async function checkGoogleDomain(
  context: Context,
  domain: string,
  clientAddress: string,
): Promise<DomainStatus> {
  await consumeRateLimit(context.db, {
    name: "domain-check",
    key: networkOf(clientAddress),
    limit: 120,
    windowSeconds: 600,
  });
  return (await context.google.checkDomain(domain)).status;
}

/**
 * Checks the domain of an order: status 2 makes the order a transfer, status 1 blocks it.
 * @throws DomainError bad_request or provider_unavailable, on the field `domain`
 */
export async function requireGoogleDomain(
  context: Context,
  domain: string,
  clientAddress: string,
): Promise<OrderedDomain> {
  const refuse = (code: "bad_request" | "provider_unavailable", message: string) =>
    new DomainError(code, message, { fields: { domain: message } });
  const status = await checkGoogleDomain(context, domain, clientAddress).catch((error: unknown) => {
    if (!(error instanceof ProviderError)) throw error;
    context.log.warn({ err: error }, "a domain could not be checked");
    throw refuse("provider_unavailable", notChecked);
  });
  if (status === 1) throw refuse("bad_request", notAvailable);
  return { domain, customerType: status === 2 ? "transfer_token" : "new_signup" };
}
