/** First steps for a new domain in Google's admin console. */
import type { Order } from "#db/orders/order.ts";
import { msg } from "#server/foundation/languages/text.ts";
import type { OnboardingStep } from "../onboarding-step.ts";

const adminConsole = "https://admin.google.com/";

export function onboardingSteps(_order: Order, domain: string): OnboardingStep[] {
  return [
    {
      title: msg("firstSteps.googleSignIn"),
      text: msg("firstSteps.googleSignInText"),
      menus: [],
      href: adminConsole,
    },
    {
      title: msg("firstSteps.googlePeople"),
      text: msg("firstSteps.googlePeopleText"),
      menus: ["Directory", "Users", "Add new user"],
      href: adminConsole,
    },
    {
      title: msg("firstSteps.googleDomain"),
      text: msg("firstSteps.googleDomainText", { domain }),
      menus: ["Account", "Domains", "Manage domains"],
      href: adminConsole,
    },
  ];
}
