/** The tenant of a new Microsoft customer: created at Partner Center, or found there after a lost response. */
import { z } from "zod";
import type { AccountAnswers, Order } from "#db/orders/order.ts";
import { didStepStartWithin } from "#db/platform/stored-steps.ts";
import { storeCredentials } from "#server/accounts/credentials/credentials.ts";
import { countries, subdivisionCode } from "#server/foundation/countries/registry.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { vendorLastName, withoutPlaceholder } from "#server/foundation/placeholders.ts";
import { ProviderError, unexpectedAnswer } from "#server/integrations/errors.ts";
import type { PartnerCenter } from "#server/integrations/partner-center.ts";
import type { Context } from "#server/platform/context.ts";
import { providerStep } from "#server/platform/stored-steps/step.ts";
import { SignInRefusedError } from "../fulfilled.ts";
import type { Destination } from "../subscription-at-vendor.ts";
import { mayBelongToAnotherOrder } from "../tenant-in-doubt.ts";
import { microsoftSuffix } from "./domain.ts";
import { tenantNotListed } from "./refusals.ts";

export function wantedTenant({ signIn }: Order): { username: string; prefix: string } {
  if (signIn?.mode !== "new") throw new RangeError("A Microsoft order is fulfilled after sign-in only");
  return signIn;
}

export async function makeTenant(
  context: Context,
  partnerCenter: PartnerCenter,
  order: Order,
  account: AccountAnswers,
): Promise<Destination> {
  const domain = `${wantedTenant(order).prefix}${microsoftSuffix}`;
  const { tenantId } = await createTenant(context, partnerCenter, order, account, domain);
  return {
    externalId: tenantId,
    domain,
    name: account.companyName,
    country: order.country,
  };
}

/**
 * Time within which we look for a tenant that an unanswered call may have created. After that the buyer chooses another name,
 * which would leave it without an owner. A new tenant is listed within minutes (docs/providers.md, section 1.7).
 */
const listedWithinMinutes = 15;

const tenantResult = z.object({ tenantId: z.string() });

async function createTenant(
  context: Context,
  partnerCenter: PartnerCenter,
  order: Order,
  account: AccountAnswers,
  domain: string,
): Promise<{ tenantId: string }> {
  return providerStep(
    context,
    order.id,
    "customer",
    tenantResult,
    async ({ requestId, inDoubt }) => {
      try {
        return await partnerCenter.createCustomer(newCustomer(account, domain), requestId);
      } catch (error) {
        if (!(error instanceof ProviderError) || error.kind !== "refused") throw error;
        if (await partnerCenter.isDomainAvailable(domain)) throw error;
        // The domain is taken. After an earlier try that may have taken effect, the tenant may be ours. After a clear first
        // refusal it is another customer's.
        const mayBeOurs = inDoubt || error.code === unexpectedAnswer;
        const ours = mayBeOurs ? await partnerCenter.findCustomerByDomain(domain) : null;
        if (
          mayBeOurs &&
          ours === null &&
          (await didStepStartWithin(context.db, order.id, "customer", listedWithinMinutes))
        )
          throw new ProviderError("microsoft", "transient", "GET customers", { code: tenantNotListed });
        if (
          ours === null ||
          (await mayBelongToAnotherOrder(context, order, { externalId: ours.tenantId, domain }))
        ) {
          throw new SignInRefusedError(msg("families.nameTaken", { domain }));
        }
        return { tenantId: ours.tenantId, domain, adminUserName: "", adminPassword: "" };
      }
    },
    async (trx, created) => {
      if (created.adminPassword === "") return;
      await storeCredentials(context, trx, order.id, "tenant-admin", {
        username: `${created.adminUserName}@${domain}`,
        password: created.adminPassword,
      });
    },
  );
}

function newCustomer(account: AccountAnswers, domain: string) {
  return {
    domain,
    organizationRegistrationNumber:
      countries[account.country].registration.vendorNumber(account) ?? undefined,
    email: account.email,
    culture: countries[account.country].locale,
    language: "en",
    companyName: account.companyName,
    address: {
      firstName: account.firstName,
      lastName: vendorLastName(account),
      addressLine1: account.addressLine1,
      addressLine2: withoutPlaceholder(account.addressLine2) || account.city,
      city: account.city,
      state: subdivisionCode(account.country, account.state) ?? account.state,
      postalCode: account.pincode,
      country: account.country,
      phoneNumber: account.phoneNumber,
    },
  };
}
