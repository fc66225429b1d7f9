/** First steps for a new tenant in Microsoft's admin centre. */
import type { Order } from "#db/orders/order.ts";
import { msg } from "#server/foundation/languages/text.ts";
import type { OnboardingStep } from "../onboarding-step.ts";

const adminCentre = "https://admin.microsoft.com/";

/** @param domain the tenant's first domain, at the vendor */
export function onboardingSteps({ line }: Order, domain: string): OnboardingStep[] {
  return [
    {
      title: msg("firstSteps.microsoftSignIn"),
      text: msg("firstSteps.microsoftSignInText"),
      menus: [],
      href: adminCentre,
    },
    {
      title: msg("firstSteps.microsoftPeople"),
      text: msg("firstSteps.microsoftPeopleText", { plan: line.name }),
      menus: ["Users", "Active users", "Add a user"],
      href: adminCentre,
    },
    {
      title: msg("firstSteps.microsoftDomain"),
      text: msg("firstSteps.microsoftDomainText", { domain }),
      menus: ["Settings", "Domains", "Add domain"],
      href: adminCentre,
    },
  ];
}
