/**
 * The Microsoft Customer Agreement, which a customer makes with Microsoft before anything is ordered for it
 * (docs/decisions/tenants.md#customer-agreement).
 */
import type { AgreementRules } from "../family.ts";

export const agreement: AgreementRules = {
  name: "Microsoft Customer Agreement",
  async current(context, country) {
    return context.partnerCenterOf(country).currentAgreement();
  },
  async documentUrl(context, country, version) {
    return context.partnerCenterOf(country).agreementDocument(version, country);
  },
};
